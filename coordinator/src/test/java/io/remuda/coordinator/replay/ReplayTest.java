package io.remuda.coordinator.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.order.OrderPolicies;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayTest {

  private static ReplaySummary run(MadePast past, WhatIf change) throws IOException {
    return Replay.run(past.since(0), change, ended -> {});
  }

  private static WhatIf order(OrderPolicies order) {
    return new WhatIf(order, null, List.of());
  }

  private static WhatIf with(String... nodes) {
    return new WhatIf(null, null, List.of(nodes).stream().map(AddedNode::parse).toList());
  }

  /** Ann's two jobs of 100 s are there first, then Bob's of 10 s; one GPU. */
  private static MadePast annBeforeBob() {
    return new MadePast()
        .node("n1", 1)
        .job("ann", 0, 0, 100, 1)
        .job("ann", 0, 100, 100, 1)
        .job("bob", 0, 200, 10, 1);
  }

  @Test
  void the_same_order_gives_the_past_again() throws IOException {
    ReplaySummary was = annBeforeBob().since(0).asItWas();
    assertEquals(100, was.meanWait(), 0.1);
    assertEquals(200, was.maxWait(), 0.1);
    assertEquals(0.21, was.gpusHeld(), 0.001);
    assertEquals(was, run(annBeforeBob(), WhatIf.NOTHING));
  }

  @Test
  void a_fair_order_has_bob_second() throws IOException {
    ReplaySummary fair = run(annBeforeBob(), order(OrderPolicies.FAIR));
    assertEquals((0 + 100 + 110) / 3.0, fair.meanWait(), 0.1);
    assertEquals(110, fair.maxWait(), 0.1);
    double ann = (1 + 100 / 210.0) / 2;
    double bob = 10 / 110.0;
    double jain = (ann + bob) * (ann + bob) / (2 * (ann * ann + bob * bob));
    assertEquals(jain, fair.fairness(), 0.001);
  }

  @Test
  void a_second_gpu_halves_the_queue() throws IOException {
    ReplaySummary two = run(annBeforeBob(), with("h100:1"));
    assertEquals(100 / 3.0, two.meanWait(), 0.1);
    assertEquals(0.105, two.gpusHeld(), 0.001);
  }

  @Test
  void higher_priority_is_first_and_has_preemptible_tasks_leave() throws IOException {
    MadePast past = new MadePast().node("n1", 1);
    past.terms("'preemption': {'afterMillis': 0}").job("ann", 0, 0, 300, 1);
    past.terms("'priority': 5").job("bob", 100, 300, 50, 1);
    ReplaySummary urgent = run(past, WhatIf.NOTHING);
    assertEquals(1, urgent.preemptions());
    assertEquals(0, urgent.p50Wait(), 0.1); // Bob at once
    assertEquals(150, urgent.maxWait(), 0.1); // Ann's 100 s are lost, and she waits 50 s
  }

  @Test
  void many_leave_within_seconds_as_on_the_server() throws IOException {
    MadePast past = new MadePast().node("n1", 16);
    past.terms("'preemption': {'afterMillis': 0}");
    for (int i = 0; i < 16; i++) {
      past.job("ann", 0, 0, 300, 1);
    }
    past.terms("'priority': 5");
    for (int i = 0; i < 16; i++) {
      past.job("bob", 100, 300, 50, 1);
    }
    ReplaySummary urgent = run(past, WhatIf.NOTHING);
    assertEquals(16, urgent.preemptions());
    assertEquals(150, urgent.maxWait(), 5); // of Ann's 100 s that are lost, and Bob's 50
  }

  @Test
  void time_limits_say_whose_turn_it_is_where_nothing_else_does() throws IOException {
    MadePast past = new MadePast().node("n1", 1).job("zoe", 0, 0, 100, 1);
    past.terms("'timeLimitMillis': 3600000").job("ann", 10, 100, 100, 1);
    past.terms("'timeLimitMillis': 60000").job("bob", 20, 200, 10, 1);
    assertEquals(180, run(past, WhatIf.NOTHING).maxWait(), 0.1); // Bob's
    assertEquals(100, run(past, order(OrderPolicies.SHORTEST)).maxWait(), 0.1); // Ann's
  }

  @Test
  void a_time_limit_that_was_exceeded_is_none() throws IOException {
    MadePast past = new MadePast().node("n1", 1);
    past.terms("'timeLimitMillis': 60000").job("ann", 0, 0, 60, 1).job("ann", 0, 60, 61, 1);
    assertEquals(
        List.of(60_000L, 0L),
        past.since(0).jobs().stream().map(job -> job.spec().terms().timeLimitMillis()).toList());
  }

  @Test
  void a_training_goes_on_from_where_it_was() throws IOException {
    MadePast past = new MadePast().node("n1", 1);
    past.terms("'preemption': {'afterMillis': 0}, 'training': {}").job("ann", 0, 0, 300, 1);
    past.terms("'priority': 5").job("bob", 100, 300, 50, 1);
    assertEquals(50, run(past, WhatIf.NOTHING).maxWait(), 0.1);
  }

  @Test
  void jobs_wait_for_those_that_they_depend_on() throws IOException {
    MadePast past = new MadePast().node("n1", 2).job("ann", 0, 0, 100, 1);
    past.terms("'after': ['1:ok']").job("ann", 0, 150, 10, 1);
    assertEquals(50, past.since(0).asItWas().maxWait(), 0.1); // from the end of job 1 on
    assertEquals(0, run(past, WhatIf.NOTHING).maxWait(), 0.1);
  }

  @Test
  void what_ran_at_the_beginning_holds_its_gpu_and_does_not_count() throws IOException {
    MadePast past = new MadePast().node("n1", 1).ordered("shortest");
    past.job("ann", 10, 100, 100, 1).job("bob", 0, 0, 100, 1);
    Past later = past.since(50);
    ReplaySummary sum = Replay.run(later, WhatIf.NOTHING, ended -> {});
    assertEquals(1, sum.tasks());
    assertEquals(50, sum.maxWait(), 0.1);
    assertEquals(later.asItWas(), sum);
  }

  @Test
  void what_fits_nowhere_is_left_out_and_holds_nobody_up() throws IOException {
    MadePast past = annBeforeBob().job("eve", 0, 500, 10, 4);
    ReplaySummary sum = run(past, WhatIf.NOTHING);
    assertEquals(1, sum.leftOut());
    assertEquals(3, sum.tasks());
    assertEquals(0, run(past, with("h100:4")).leftOut());
  }

  @Test
  void a_comparison_has_the_past_first_and_says_what_it_does_not_know() throws IOException {
    Comparison all =
        Comparison.of(
            annBeforeBob().since(0), List.of(order(OrderPolicies.FAIR)), (name, ended) -> {});
    assertEquals(
        List.of("as it was", "simulated", "order fair"),
        all.cases().stream().map(Comparison.Case::name).toList());
    assertNull(all.cases().get(0).order());
    assertEquals("fifo", all.cases().get(1).order());
    assertTrue(all.notKnown().size() >= 3, all.notKnown()::toString);
  }

  @Test
  void an_unknown_model_is_told_with_those_that_are_known() {
    String told =
        assertThrows(IllegalArgumentException.class, () -> AddedNode.parse("h900:8")).getMessage();
    assertTrue(told.contains("h900") && told.contains("h100"), told);
    assertThrows(IllegalArgumentException.class, () -> AddedNode.parse("h100"));
    assertThrows(IllegalArgumentException.class, () -> AddedNode.parse("h100:0"));
    assertEquals(
        "a node has 1 to 64 GPUs, got 100000",
        assertThrows(IllegalArgumentException.class, () -> AddedNode.parse("h100:100000"))
            .getMessage());
  }
}
