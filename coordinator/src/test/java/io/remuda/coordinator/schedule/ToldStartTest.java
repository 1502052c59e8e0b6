package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Ann's jobs wait: the first, for which n1 is kept, and others that have been told until when they
 * start, for which n2 is kept. A node has 4 cores.
 */
class ToldStartTest {
  private static final long SECOND = 1_000_000_000;

  private final Map<JobId, Long> told = new HashMap<>();
  private List<NodeOffer> nodes =
      List.of(
          node("n1").cpus(0, 4000).clearsIn(10_000).offer(),
          node("n2").cpus(1000, 4000).clearsIn(30_000).offer());

  private static LineBuilder cores(long job, int count, double cores) {
    return tasks(job, count).need(needs().cpus(cores));
  }

  private static LineBuilder passes(long millis) {
    return cores(9, 1, 1).of("bob").limitMillis(millis);
  }

  private void told(long job, long seconds) {
    told.put(new JobId(job), seconds * SECOND);
  }

  private Plan plan(LineBuilder... lines) {
    List<TaskClass> classes = Stream.of(lines).map(LineBuilder::line).toList();
    return Scheduler.plan(
        new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0).told(told),
        classes);
  }

  private String placed(LineBuilder... lines) {
    return plan(lines).placements().stream()
        .map(one -> one.task() + " on " + one.node())
        .toList()
        .toString();
  }

  private static LineBuilder first() {
    return cores(1, 1, 4).impatient();
  }

  private static LineBuilder second() {
    return cores(2, 1, 3.5).impatient();
  }

  @Test
  void a_task_passes_if_it_has_ended_when_the_job_starts_as_it_was_told() {
    assertEquals("[9.0 on n2]", placed(first(), second(), passes(90_000)), "nothing is told");
    told(2, 60);
    assertEquals("[9.0 on n2]", placed(first(), second(), passes(60_000)));
    assertEquals("[]", placed(first(), second(), passes(60_001)));
    assertEquals("[]", placed(first(), second(), passes(0)), "it may run for ever");
  }

  @Test
  void who_may_not_pass_hears_of_the_job() {
    told(2, 60);
    assertEquals(
        new WaitReason.HeldForOther("n2", new JobId(2)),
        plan(first(), second(), passes(60_001)).waiting().get(passes(60_001).key()).get(1));
  }

  @Test
  void a_job_that_cannot_start_by_then_is_not_made_later_still() {
    told(2, 20);
    assertEquals("[9.0 on n2]", placed(first(), second(), passes(30_000)), "it starts in 30 s");
    assertEquals("[]", placed(first(), second(), passes(30_001)));
  }

  @Test
  void nothing_is_kept_once_that_time_has_passed() {
    told(2, 0);
    assertEquals("[9.0 on n2]", placed(first(), second(), passes(90_000)));
  }

  @Test
  void nothing_is_kept_for_one_that_may_still_be_passed_by_all() {
    told(2, 60);
    assertEquals("[9.0 on n2]", placed(first(), cores(2, 1, 3.5), passes(90_000)));
  }

  @Test
  void a_job_that_has_capacity_kept_for_it_anyway_is_passed_by_none_that_delay_it() {
    told(1, 60);
    nodes = List.of(node("n1").cpus(1000, 4000).clearsIn(10_000).offer());
    assertEquals("[9.0 on n1]", placed(first(), passes(10_000)));
    assertEquals("[]", placed(first(), passes(10_001)));
  }

  @Test
  void one_of_several_alike_has_its_own_time() {
    told(2, 60);
    TaskClass.SchedulingKey key = first().key();
    TaskClass alike = first().line();
    alike.tasks().add(new JobId(2), 0, 1);
    Plan plan =
        Scheduler.plan(
            new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0).told(told),
            List.of(alike, passes(60_001).line()));
    assertEquals(List.of(), plan.placements());
    assertEquals(2, plan.waiting().get(key).size());
  }

  @Test
  void as_many_have_their_time_kept_as_have_waited_and_no_more() {
    nodes =
        List.of(
            node("n1").cpus(0, 4000).clearsIn(10_000).offer(),
            node("n2").cpus(1000, 4000).clearsIn(30_000).offer(),
            node("n3").cpus(1000, 4000).clearsIn(40_000).offer());
    told(2, 60);
    told(3, 60);
    assertEquals(
        "[9.0 on n3]", placed(first(), second(), cores(3, 1, 3.6).impatient(), passes(90_000)));
  }

  @Test
  void what_is_kept_so_takes_nothing_from_what_is_reserved() {
    nodes =
        Stream.concat(
                Stream.of(
                    node("n1").cpus(0, 4000).clearsIn(10_000).offer(),
                    node("n2").cpus(1000, 4000).clearsIn(10_000).offer()),
                Stream.of("n3", "n4", "n5", "n6", "n7", "n8")
                    .map(name -> node(name).cpus(0, 500).clearsIn(10_000).offer()))
            .toList();
    told(2, 3600);
    LineBuilder other = cores(3, 1, 4).of("bob").impatient();
    assertEquals(
        "[]",
        placed(
            first(),
            cores(2, 1, 3.9).impatient(),
            other,
            cores(9, 1, 1).of("carol").limitMillis(10_001)),
        "n2 is reserved for bob in 10 s, though ann was told an hour");
  }

  @Test
  void a_job_that_starts_in_the_same_plan_keeps_nothing() {
    nodes =
        List.of(
            node("n1").cpus(4000, 4000).offer(),
            node("n2").cpus(1000, 4000).clearsIn(30_000).offer(),
            node("n3").cpus(1000, 4000).clearsIn(40_000).offer());
    told(1, 60);
    told(2, 60);
    TaskClass alike = first().priority(1).line();
    alike.tasks().add(new JobId(2), 0, 1);
    Plan plan =
        Scheduler.plan(
            new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0).told(told),
            List.of(alike, passes(90_000).line()));
    assertEquals(
        List.of("1.0 on n1", "9.0 on n3"),
        plan.placements().stream().map(one -> one.task() + " on " + one.node()).toList(),
        "n2 is reserved for job 2");
  }

  @Test
  void a_job_is_not_held_back_by_what_is_kept_for_itself_or_for_those_behind_it() {
    nodes = List.of(node("n1").cpus(1000, 4000).releases(3_600_000, 2000).keeps(1000).offer());
    told(3, 300);
    TaskClass alike = cores(2, 1, 1).impatient().line();
    alike.tasks().add(new JobId(3), 0, 1);
    Snapshot snapshot =
        new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0)
            .told(told)
            .expecting(job -> OptionalLong.of(job.value() == 3 ? 600_000 : 6 * 3_600_000));
    assertEquals(
        List.of("3.0 on n1"),
        Scheduler.plan(snapshot, List.of(cores(1, 1, 3).impatient().line(), alike))
            .placements()
            .stream()
            .map(one -> one.task() + " on " + one.node())
            .toList());
  }

  @Test
  void of_a_user_one_is_kept_to_its_time() {
    List<NodeOffer> eight = new ArrayList<>();
    for (int i = 1; i <= 16; i++) {
      eight.add(node("n" + i).cpus(1000, 4000).clearsIn(i * 10_000).offer());
    }
    nodes = eight;
    for (int job = 2; job <= 9; job++) {
      told(job, 600);
    }
    TaskClass alike = first().line();
    for (int job = 2; job <= 9; job++) {
      alike.tasks().add(new JobId(job), 0, 1);
    }
    TaskClass passing = cores(20, 16, 1).of("bob").limitMillis(3_600_000).line();
    Snapshot snapshot =
        new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0).told(told);
    assertEquals(14, Scheduler.plan(snapshot, List.of(alike, passing)).placements().size());
  }
}
