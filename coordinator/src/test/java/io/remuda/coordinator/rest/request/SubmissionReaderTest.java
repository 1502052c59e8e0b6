package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.worker.job.ResourceRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmissionReaderTest {
  private static String refusal(String body) {
    return assertThrows(
            IllegalArgumentException.class,
            () -> new SubmissionReader(false).read(body.getBytes(StandardCharsets.UTF_8), "me"))
        .getMessage();
  }

  @Test
  void of_several_jobs_the_one_that_is_refused_is_named() {
    assertEquals(
        "job number 2, 'train': timeLimit: 'soon' is not a time: write 90s, 15m, 1h30m, 01:30:00 or 2d",
        refusal(
            "{\"jobs\": [{\"shell\": \"x\"}, {\"name\": \"train\", \"shell\": \"x\", \"timeLimit\":"
                + " \"soon\"}]}"));
    assertEquals(
        "job number 1: unknown field 'x'",
        refusal("{\"jobs\": [{\"shell\": \"x\", \"x\": 1}, {\"shell\": \"x\"}]}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"argv\": [\"x\", \"\\udcff\"]}",
        "{\"argv\": [\"x\"], \"env\": {\"A\": \"\\ud800x\"}}",
        "{\"shell\": \"x\", \"workdir\": \"/\\udfff\"}",
        "{\"shell\": \"x\", \"name\": \"\\udbff\"}",
        "{\"shell\": \"x\", \"labels\": {\"a\": \"\\udbff\"}}",
        "{\"shell\": \"x\", \"type\": \"\\udbff\"}",
        "{\"shell\": \"x\", \"clientKey\": \"\\udbff\"}",
      })
  void text_that_cannot_be_written_as_utf_8_is_refused(String body) {
    assertEquals("half of a surrogate pair stands alone in a text: it has no UTF-8", refusal(body));
  }

  @Test
  void a_single_job_needs_no_name() {
    assertEquals("argv names no program", refusal("{\"name\": \"a\", \"argv\": []}"));
  }

  @Test
  void a_dependency_on_a_sibling_is_refused_in_the_words_of_the_user() {
    assertEquals(
        "job number 2: a dependency is JOB or JOB:ok|any|fail|each, got 'a:now'",
        refusal(
            "{\"jobs\": [{\"name\": \"a\", \"shell\": \"x\"}, {\"shell\": \"x\", \"after\":"
                + " [\"a:now\"]}]}"));
  }

  private static ResourceRequest needs(boolean auto, String fields) {
    String body = "{\"argv\": [\"train\"], " + fields + "}";
    return new SubmissionReader(auto)
        .read(body.getBytes(StandardCharsets.UTF_8), "me")
        .get(0)
        .request();
  }

  @Test
  void where_the_server_is_set_so_gpus_are_measured_unless_a_job_says_otherwise() {
    assertEquals(0, needs(false, "\"gpus\": 1").gpuMemory());
    assertTrue(needs(true, "\"gpus\": 1").gpuShare().isMeasured());
    assertEquals(0, needs(true, "\"gpus\": 1, \"gpuMem\": \"whole\"").gpuMemory());
    assertEquals(0, needs(true, "\"gpus\": 1, \"exclusive\": true").gpuMemory());
    assertEquals(0, needs(true, "\"gpus\": 1, \"perGpu\": 3").gpuMemory());
    assertEquals(1 << 30, needs(true, "\"gpus\": 1, \"gpuMem\": \"1GiB\"").gpuMemory());
    assertEquals(0, needs(true, "\"cpus\": 1").gpus());
  }

  private static String type(String fields) {
    String body = "{\"argv\": [\"train.py\", \"--lr\", \"3\"], \"gpuMem\": \"auto\"" + fields + "}";
    return new SubmissionReader(false)
        .read(body.getBytes(StandardCharsets.UTF_8), "me")
        .get(0)
        .terms()
        .type();
  }

  @Test
  void equal_commands_of_different_projects_are_of_different_types() {
    assertEquals("train.py --lr in /cifar", type(", \"workdir\": \"/cifar\""));
    assertEquals(
        "train.py --lr in /mnist",
        type(", \"workdir\": \"/mnist/runs/7\", \"project\": \"/mnist\""));
    assertEquals("train.py --lr", type(""));
    assertEquals("mine", type(", \"workdir\": \"/cifar\", \"type\": \"mine\""));
  }
}
