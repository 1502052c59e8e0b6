package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.server.WithFakeServer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResubmitCommandTest extends WithFakeServer {

  @Test
  void the_numbers_of_the_new_jobs_are_printed() throws Exception {
    server.answers("/jobs/5/resubmit", "{\"ids\":[9,10]}");
    assertEquals(0, ask(new ResubmitCommand(), "5"));
    assertEquals("9\n10\n", out.toString());
  }

  @Test
  void a_dry_run_says_what_would_run_again_and_submits_nothing() throws Exception {
    server.answers(
        "/jobs/5/resubmit?dryRun",
        "{\"ids\":[],\"planned\":[{\"name\":\"sweep\",\"tasks\":2,\"sweep\":true,"
            + "\"commands\":[[\"train\",\"0.1\"],[\"train\",\"0.2\"]]}]}");
    assertEquals(0, ask(new ResubmitCommand(), "--dry-run", "--failed", "5"));
    assertEquals(
        "the server accepts this; nothing was submitted\n1 job with 2 tasks\nsweep: 2 tasks\n"
            + "  train 0.1\n  train 0.2\n",
        out.toString());
    assertEquals(List.of("POST /jobs/5/resubmit?dryRun"), server.requests());
    out.getBuffer().setLength(0);
    assertEquals(0, ask(new ResubmitCommand(), "--dry-run", "-q", "--failed", "5"));
    assertEquals("", out.toString());
  }
}
