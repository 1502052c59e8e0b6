package io.remuda.coordinator.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.order.OrderPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Small schedules, second by second. */
class ScheduleSimulationTest {

  private static final String JOBS = "id,arrival_s,duration_s,gpus,user\n";
  private static final PreemptionCost COSTS = new PreemptionCost(10_000, 30_000);

  @TempDir private Path folder;

  private ScheduleSimulation simulation(String nodes, String jobs)
      throws IOException, BadTableException {
    return ScheduleSimulation.read(
        Files.writeString(folder.resolve("c.csv"), "node,gpus\n" + nodes),
        Files.writeString(folder.resolve("t.csv"), jobs),
        path -> path);
  }

  private List<String> events(
      String nodes, String jobs, OrderPolicies policy, KnownDurations durations)
      throws IOException, BadTableException {
    return simulation(nodes, JOBS + jobs)
        .run(policy, durations, COSTS, done -> {})
        .events()
        .stream()
        .map(
            one ->
                one.atMillis() / 1000
                    + " "
                    + one.job()
                    + " "
                    + one.kind().name().toLowerCase(Locale.ROOT)
                    + (one.nodes().isEmpty() ? "" : " " + one.nodes()))
        .toList();
  }

  @Test
  void first_come_first_served_waits_also_where_a_later_job_fits() throws Exception {
    assertEquals(
        List.of(
            "0 half start a:4",
            "100 half finish",
            "100 whole start a:8",
            "200 whole finish",
            "200 small start a:1",
            "300 small finish"),
        events(
            "a,8\n",
            "half,0,100,4,u\nwhole,1,100,8,u\nsmall,2,100,1,u\n",
            OrderPolicies.FIFO,
            KnownDurations.UNKNOWN));
  }

  @Test
  void a_job_that_fits_passes_one_that_does_not() throws Exception {
    assertEquals(
        List.of(
            "0 half start a:4",
            "2 small start a:1",
            "100 half finish",
            "102 small finish",
            "102 whole start a:8",
            "202 whole finish"),
        events(
            "a,8\n",
            "half,0,100,4,u\nwhole,1,100,8,u\nsmall,2,100,1,u\n",
            OrderPolicies.BACKFILL,
            KnownDurations.UNKNOWN));
  }

  @Test
  void a_preempted_job_needs_its_time_and_what_saving_and_restoring_cost() throws Exception {
    assertEquals(
        List.of(
            "0 long start a:8",
            "1000 long preempt",
            "1000 short start a:8",
            "1100 short finish",
            "1100 long start a:8",
            "10140 long finish"), // 1000 - 10 were done, 9010 were left, and 30 for the restart
        events(
            "a,8\n",
            "long,0,10000,8,u\nshort,1000,100,8,v\n",
            OrderPolicies.SHORTEST,
            KnownDurations.KNOWN));
  }

  @Test
  void nobody_is_preempted_for_a_job_that_is_hardly_shorter() throws Exception {
    List<String> events =
        events(
            "a,8\n",
            "long,0,10000,8,u\nother,1000,8500,8,v\n",
            OrderPolicies.SHORTEST,
            KnownDurations.KNOWN);
    assertTrue(events.stream().noneMatch(one -> one.contains("preempt")), events.toString());
  }

  @Test
  void a_job_moves_so_that_one_for_a_whole_node_starts() throws Exception {
    assertEquals(
        List.of("1000 q preempt", "1000 whole start a:8", "1000 q start b:1"),
        events(
                "a,8\nb,8\n",
                "p,0,500,5,u\nq,1,90000,1,u\nr,2,90000,3,u\nwhole,1000,80000,8,u\n",
                OrderPolicies.SHORTEST,
                KnownDurations.KNOWN)
            .stream()
            .filter(one -> one.startsWith("1000 "))
            .toList());
  }

  @Test
  void a_job_larger_than_a_node_starts_on_as_few_as_possible() throws Exception {
    assertEquals(
        "0 big start a:8;b:4",
        events("a,8\nb,8\nc,8\n", "big,0,5,12,u\n", OrderPolicies.EXPECTED, KnownDurations.UNKNOWN)
            .get(0));
  }

  @ParameterizedTest
  @EnumSource(OrderPolicies.class)
  void every_policy_ends_every_job_and_does_the_same_again(OrderPolicies policy) throws Exception {
    StringBuilder jobs = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      jobs.append("j" + i + "," + 20 * i + "," + (37 * i % 900 + 1) + "," + (1 << i % 5) + ",u\n");
    }
    String nodes = "a,8\nb,8\nc,4\n";
    List<String> events = events(nodes, jobs.toString(), policy, KnownDurations.UNKNOWN);
    assertEquals(60, events.stream().filter(one -> one.endsWith("finish")).count());
    assertEquals(events, events(nodes, jobs.toString(), policy, KnownDurations.UNKNOWN));
  }

  @Test
  void a_summary_has_waits_and_fairness() throws Exception {
    ScheduleSummary sum =
        simulation("a,8\n", JOBS + "one,0,100,8,u\ntwo,0,100,8,v\n")
            .run(OrderPolicies.FIFO, KnownDurations.UNKNOWN, COSTS, done -> {})
            .summary();
    assertEquals(150, sum.meanTime());
    assertEquals(50, sum.meanWait());
    assertEquals(1, sum.useful());
    assertEquals(0.9, sum.fairness(), 1e-9); // (1 + 1/2)² / (2 × (1 + 1/4))
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a,5,1,0,u; gpus must be a whole number from 1 to 10000, got '0'",
        "a,5,1,9,u; gpus must be no more than the nodes have",
        "a,5,x,1,u; duration_s must be a number of seconds, 0 or more, got 'x'",
        "a,NaN,1,1,u; arrival_s must be a number of seconds, not before the line above, got 'NaN'",
        "b,5,1,1,u|a,4,1,1,u; arrival_s must be a number of seconds, not before the line above",
      })
  void what_is_wrong_in_a_trace_is_said_with_its_line(String rows, String message) {
    BadTableException refused =
        assertThrows(
            BadTableException.class,
            () -> simulation("n,8\n", JOBS + rows.replace('|', '\n') + "\n"));
    assertTrue(refused.getMessage().contains("t.csv:"), refused.getMessage());
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
  }
}
