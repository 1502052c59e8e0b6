package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.stream.StandardStreamTerms;
import io.remuda.worker.job.sweep.TaskParameters;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a node of an earlier build is sent of files that it does not know. */
class PlainStreamOrdersTest {

  private static TaskStartOrder order(StandardStreamTerms streams) {
    return new TaskStartOrder(
        AttemptId.parse("7.2.1"),
        "ann",
        false,
        0,
        new CommandWorkload(List.of("true"), Map.of(), "/", 0, null, null, streams),
        List.of(),
        1,
        false,
        new TaskStartOrder.JobFacts(
            new UUID(1, 2), "x", 3, new ResourceRequest(1, 0), null, null, true),
        0,
        null,
        null,
        new TaskParameters(Map.of(), Map.of("REMUDA_ARRAY_INDEX", "9")));
  }

  private static StandardStreamTerms plain(StandardStreamTerms streams) {
    return ((CommandWorkload) order(streams).withPlainStreams("n1").workload()).streams();
  }

  @Test
  void widths_and_the_number_of_a_task_are_filled_in_by_the_server() {
    assertEquals(
        new StandardStreamTerms("in10", null, false, "00%a-%j", "0%t.0010", true, null),
        plain(new StandardStreamTerms("in%J", null, false, "%3a-%j", "%2t.%4J", true, null)));
  }

  @Test
  void a_file_that_nobody_has_chosen_is_left_out_so_that_no_task_fails_by_it() {
    assertNull(
        plain(
            new StandardStreamTerms(null, null, false, "slurm-%j_%a.out", null, true, null, true)));
    assertEquals(
        new StandardStreamTerms(null, null, false, null, "e10", false, null),
        plain(
            new StandardStreamTerms(null, null, false, "slurm-%j.out", "e%J", false, null, true)));
  }

  @Test
  void what_it_knows_is_sent_as_it_is() {
    TaskStartOrder known =
        order(new StandardStreamTerms("in.%t", null, false, "%j_%a%%3a", null, false, null));
    assertSame(known, known.withPlainStreams("n1"));
    TaskStartOrder none = order(null);
    assertSame(none, none.withPlainStreams("n1"));
  }
}
