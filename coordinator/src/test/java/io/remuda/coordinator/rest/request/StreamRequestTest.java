package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields of a request about the streams of its tasks. */
class StreamRequestTest {

  private static StandardStreamTerms terms(Map<String, Object> fields) {
    Map<String, Object> all = new HashMap<>(fields);
    all.put("shell", "cat");
    return ((CommandWorkload) JobRequest.of(all).toNewJob("ann", List.of()).workload()).streams();
  }

  @Test
  void a_job_that_says_nothing_has_no_terms() {
    assertNull(terms(Map.of()));
  }

  @Test
  void paths_and_the_mode_are_kept_as_they_are() {
    assertEquals(
        new StandardStreamTerms("in.%t", null, false, "%x-%j.out", "e", true, null),
        terms(Map.of("stdin", "in.%t", "output", "%x-%j.out", "error", "e", "openMode", "append")));
  }

  @Test
  void files_of_sbatch_count_before_those_that_an_earlier_server_follows() {
    String files = "{'output':'x-%J','openMode':'append','later':1}".replace('\'', '"');
    Map<String, Object> fields =
        Map.of("output", "x-%j", "error", "e", "env", Map.of("REMUDA_SBATCH_FILES", files));
    assertEquals(
        new StandardStreamTerms(null, null, false, "x-%J", "e", true, null), terms(fields));
    assertEquals(Map.of("A", "b"), environment(Map.of("A", "b", "REMUDA_SBATCH_FILES", files)));
  }

  @Test
  void an_output_that_only_sbatch_has_is_one_that_nobody_has_chosen() {
    String files = "{'output':'slurm-%j.out'}".replace('\'', '"');
    Map<String, String> env = Map.of("REMUDA_SBATCH_FILES", files);
    assertEquals(
        new StandardStreamTerms(null, null, false, "slurm-%j.out", null, false, null, true),
        terms(Map.of("env", env)));
    assertEquals(
        new StandardStreamTerms(null, null, false, "slurm-%j.out", "e", false, null, true),
        terms(Map.of("env", env, "error", "e")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "[]", "null", "{'output':[]}", "{'output':'%b'}"})
  void wrong_files_of_sbatch_are_refused(String files) {
    Map<String, String> env = Map.of("REMUDA_SBATCH_FILES", files.replace('\'', '"'));
    assertThrows(IllegalArgumentException.class, () -> terms(Map.of("env", env)));
  }

  @Test
  void files_of_sbatch_are_not_longer_than_paths_may_be() {
    String files = "{'output':'".replace('\'', '"') + "x".repeat(17_000) + "\"}";
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> terms(Map.of("env", Map.of("REMUDA_SBATCH_FILES", files))))
            .getMessage();
    assertEquals("REMUDA_SBATCH_FILES has at most 16384 characters, got 17013", said);
  }

  private static Map<String, String> environment(Map<String, String> env) {
    Map<String, Object> all = Map.of("shell", "cat", "env", env);
    return ((CommandWorkload) JobRequest.of(all).toNewJob("ann", List.of()).workload())
        .environment();
  }

  @Test
  void a_terminal_has_a_size() {
    assertEquals(
        new StandardStreamTerms.Size(24, 80), terms(Map.of("terminal", "24x80")).terminal());
  }

  @ParameterizedTest
  @CsvSource({
    "stdin, a%b, 'stdin has ''%b'': there are %j %J %t %n %a %x'",
    "output, a%, 'output has ''%'': there are'",
    "error, '', 'error must be a path'",
    "stdinData, not!, stdinData must be base64",
    "openMode, append, openMode requires output or error",
    "terminal, wide, 'terminal must be ROWSxCOLUMNS, as 24x80, got ''wide'''",
    "terminal, 0x80, 'rows must be 1 to 10000, got 0'"
  })
  void what_is_wrong_is_refused_by_name_and_value(String field, String value, String said) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> terms(Map.of(field, value)))
            .getMessage();
    assertEquals(said, message.substring(0, Math.min(said.length(), message.length())));
  }

  @Test
  void more_than_is_stored_is_refused_with_what_to_do() {
    String data = Base64.getEncoder().encodeToString(new byte[StandardStreamTerms.MOST_INPUT + 1]);
    String message =
        assertThrows(IllegalArgumentException.class, () -> terms(Map.of("stdinData", data)))
            .getMessage();
    assertEquals(
        "stdinData has at most 262144 bytes, got 262145: for more give the path of a file as stdin",
        message);
  }

  @Test
  void there_is_one_stdin_and_a_terminal_excludes_it() {
    assertThrows(
        IllegalArgumentException.class, () -> terms(Map.of("stdin", "f", "stdinStream", true)));
    assertThrows(
        IllegalArgumentException.class, () -> terms(Map.of("terminal", "24x80", "output", "f")));
    assertThrows(
        IllegalArgumentException.class, () -> terms(Map.of("terminal", "24x80", "count", 2)));
    assertThrows(
        IllegalArgumentException.class, () -> terms(Map.of("terminal", "24x80", "array", "1-2")));
    assertThrows(
        IllegalArgumentException.class,
        () -> terms(Map.of("terminal", "24x80", "container", "image")));
  }
}
