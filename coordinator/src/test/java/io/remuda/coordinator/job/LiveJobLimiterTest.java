package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attack H2: what many submissions take together has a limit that is said. */
@Tag("attack")
@Tag("attack-bad-request")
class LiveJobLimiterTest {

  private static final long MIB = 1 << 20;

  private final LiveJobLimiter load =
      new LiveJobLimiter(new LiveJobLimits(3000, 2000, 4 * MIB, 3 * MIB));
  private final List<JobSpec> live = new ArrayList<>();

  private static NewJob job(String user, int tasks, String argument, Map<String, String> with) {
    return new NewJob(
        "job",
        user,
        new ResourceRequest(1, 0),
        JobTerms.placed(PlacementPolicy.PACK),
        new CommandWorkload(List.of("/bin/echo", argument), with, "/", 022),
        tasks,
        false,
        null,
        List.of());
  }

  /** Whether it was accepted. */
  private Optional<Rejection> submit(NewJob job) {
    Optional<Rejection> no = load.refusal(List.of(job));
    if (no.isEmpty()) {
      JobSpec spec = load.shared(job).numbered(new JobId(1 + live.size()), List.of());
      live.add(spec);
      load.add(spec);
    }
    return no;
  }

  private Optional<Rejection> array(String user, int tasks) {
    return submit(job(user, tasks, "", Map.of()));
  }

  @Test
  void one_users_tasks_are_limited_and_the_refusal_names_the_number_and_what_to_do() {
    assertEquals(Optional.empty(), array("ann", 1500));
    Rejection no = array("ann", 501).orElseThrow();
    assertEquals(Rejection.Code.TOO_MANY, no.code());
    assertEquals(
        "with this, your jobs that have not ended would have 2001 tasks; at most 2000 are accepted",
        no.message());
    assertTrue(no.todo().endsWith("remuda.coordinator.limits.tasks-per-user"), no.todo());
    assertEquals(Optional.empty(), array("ann", 500));
  }

  @Test
  void all_users_tasks_are_limited_too() {
    array("ann", 2000);
    assertTrue(array("bob", 1001).orElseThrow().message().contains("all users' jobs"));
    assertEquals(Optional.empty(), array("bob", 1000));
  }

  @Test
  void what_is_over_makes_room() {
    array("ann", 2000);
    load.remove(live.get(0));
    load.remove(live.get(0)); // it is forgotten once
    assertEquals(Optional.empty(), array("ann", 2000));
    assertTrue(array("ann", 1).isPresent());
  }

  @Test
  void long_texts_are_limited_by_the_memory_that_they_take() {
    String megabyte = "x".repeat(1 << 20);
    assertEquals(Optional.empty(), submit(job("ann", 1, megabyte, Map.of())));
    Rejection no = submit(job("ann", 1, megabyte, Map.of())).orElseThrow();
    assertEquals(
        "with this, your jobs that have not ended would have 5 MiB of the server's memory;"
            + " at most 3 are accepted",
        no.message());
    assertTrue(no.todo().contains("limits.memory-per-user"), no.todo());
  }

  @Test
  void an_environment_counts_once_for_all_jobs_that_have_it_and_goes_with_the_last() {
    String half = "x".repeat(1 << 19);
    for (int i = 0; i < 20; i++) { // 20 MiB, were each kept
      assertEquals(Optional.empty(), submit(job("ann", 1, "", Map.of("A", new String(half)))));
    }
    assertSame(environment(live.get(0)), environment(live.get(19)));
    assertTrue(submit(job("ann", 1, "", Map.of("B", half + half))).isPresent());
    live.forEach(load::remove);
    assertEquals(Optional.empty(), submit(job("ann", 1, "", Map.of("B", half + half))));
  }

  private static Map<String, String> environment(JobSpec job) {
    return ((CommandWorkload) job.tasks().get(0)).environment();
  }
}
