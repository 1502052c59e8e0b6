package io.remuda.coordinator.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.job.stream.StandardStreamTerms;
import io.remuda.worker.job.stream.StreamPathVariables;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of files are those that sbatch of Slurm 22.05.8 made, tried on a real one. */
class SlurmFileNamePatternsTest {

  private static String file(SlurmFileNamePatterns kind, String pattern) {
    String ours = kind.translated(pattern).replaceAll("(?<!%)((?:%%)*)%(\\d{0,2})A", "$1%$2j");
    new StandardStreamTerms(null, null, false, ours, null, false, null); // else it is refused
    return new StreamPathVariables(78, 78, 0, "7", "gpu2", "my job", Map.of())
        .in(ours)
        .replace(System.getProperty("user.name"), "USER");
  }

  @ParameterizedTest
  @CsvSource({
    "f-%j-%A-%t-%J-%s-%n-%N-%u-%x-%%-%b-%q, f-78-78-0-78-batch-0-gpu2-USER-my job-%-%b-%q",
    "%3j-%3A-%3t-%3J-%3s-%3n-%3N-%3u-%3x-%3%-%3b,"
        + " 078-078-000-078-batch-000-gpu2-USER-my job-3%-3b",
    "z%0j-%00j-%05j-%10j-%11j-%012j-%100j,"
        + " z78-78-00078-0000000078-0000000078-0000000078-0000000078",
    "abc%, abc%",
    "abc%5, abc5",
    "b%55, b5",
    "b%5%, b5%",
    "b%5-%j, b5-78",
    "b%5%j, b578",
    "abc%%5j%%%j, abc%5j%78",
    "b%3%%j%3q%j, b3%j3q78",
    "%-5j-%+j-% j, %-5j-%+j-% j"
  })
  void each_sign_is_what_sbatch_has_for_it(String pattern, String name) {
    assertEquals(name, file(new SlurmFileNamePatterns(true, false), pattern));
    assertEquals(name, file(new SlurmFileNamePatterns(false, false), pattern));
  }

  @ParameterizedTest
  @CsvSource({
    "\\f-%j-%A, f-%j-%A",
    "f\\-%j, f-%j",
    "%\\j-%j, %j-%j",
    "a\\\\b%j, a\\b%j",
    "a\\\\\\b%j, a\\b%j",
    "a\\\\\\\\b, a\\\\b",
    "a\\, a",
    "%%a\\n%%, %%an%%"
  })
  void a_backslash_turns_off_what_signs_stand_for_wherever_it_is(String pattern, String name) {
    assertEquals(name, file(new SlurmFileNamePatterns(true, false), pattern));
  }

  @ParameterizedTest
  @CsvSource({"none, /dev/null", "NONE, /dev/null", "none%j, none78"})
  void none_is_no_file(String pattern, String name) {
    assertEquals(name, file(new SlurmFileNamePatterns(false, false), pattern));
  }

  @ParameterizedTest
  @CsvSource({
    "true, false, z7-7-00007-0000000007-0-00",
    "false, false, z4294967294-4294967294-4294967294-4294967294-0-00",
    "false, true, z7-7-00007-0000000007-0-00"
  })
  void the_index_is_that_of_an_array_and_the_task_of_a_script_is_0(
      boolean swept, boolean several, String name) {
    assertEquals(
        name, file(new SlurmFileNamePatterns(swept, several), "z%0a-%00a-%05a-%11a-%0t-%2t"));
  }

  @Test
  void the_members_of_a_job_have_their_indices() {
    SlurmFileNamePatterns members = new SlurmFileNamePatterns(false, true);
    assertEquals("%2t", members.translated("%2t"));
  }
}
