package io.remuda.worker.job.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamPathVariablesTest {

  private static String path(String pattern, String name) {
    return new StreamPathVariables(7, 11, 0, "3", "n1", name, Map.of("p", name)).in(pattern);
  }

  @ParameterizedTest
  @CsvSource({
    "part_%3a.txt, part_003.txt",
    "%4j-%2t, 0007-00",
    "%10j, 0000000007",
    "%1j%%3a, 7%3a",
    "%J-%4J, 11-0011",
    "%n%x100%%, n1run100%"
  })
  void a_width_puts_zeros_before_a_number(String pattern, String path) {
    assertEquals(path, path(pattern, "run"));
    assertEquals(
        pattern, new StandardStreamTerms(null, null, false, pattern, null, false, null).output());
  }

  @ParameterizedTest
  @ValueSource(strings = {"%3n", "%0j", "%11a", "%3", "%u", "%"})
  void a_width_that_is_none_is_refused(String pattern) {
    assertThrows(
        IllegalArgumentException.class,
        () -> new StandardStreamTerms(null, null, false, pattern, null, false, null));
  }

  @Test
  void a_name_with_the_width_of_an_index_is_not_that_of_all_tasks() {
    assertFalse(StandardStreamTerms.isOfAllTasks("part_%3a.txt"));
    assertFalse(StandardStreamTerms.isOfAllTasks("log-%J"), "each task has a number of its own");
    assertTrue(StandardStreamTerms.isOfAllTasks("%4j%%3a"));
  }

  @ParameterizedTest
  @CsvSource({
    "%x-%j_%a.%n%%, %x-%j_%a.%n%%",
    "%3a.%4j.%2t, 00%a.000%j.0%t",
    "%J/%4J/%1t, 11/0011/%t",
    "{p}%%3a, {p}%%3a"
  })
  void an_agent_of_an_earlier_build_finds_the_same_path(String pattern, String plain) {
    StreamPathVariables task = new StreamPathVariables(7, 11, 0, "3", "n1", "x", Map.of("p", "v"));
    assertEquals(plain, task.plain(pattern));
    assertEquals(task.in(pattern), task.in(plain));
  }

  @Test
  void without_the_file_that_nobody_chose_the_other_streams_stay() {
    StandardStreamTerms usual =
        new StandardStreamTerms(null, null, false, "slurm-%j.out", null, true, null, true);
    assertNull(usual.withoutOptional());
    assertEquals(
        new StandardStreamTerms("in", null, false, null, "e", true, null),
        new StandardStreamTerms("in", null, false, "slurm-%j.out", "e", true, null, true)
            .withoutOptional());
    StandardStreamTerms chosen = new StandardStreamTerms(null, null, false, "o", null, true, null);
    assertEquals(chosen, chosen.withoutOptional());
  }

  @ParameterizedTest
  @CsvSource({
    "%x, .., __",
    "%x, ., _",
    "out/%x/log, .., out/__/log",
    "out/{p}/log, .., out/__/log",
    "%x%x/log, ., __/log",
    ".%x/log, ., __/log",
    "%x, ../.., .._..",
    "%x, ..., ...",
    "%x.txt, .., ...txt",
    "../%x, .., ../__",
    "./../%j/%x, run, ./../7/run"
  })
  void a_name_is_never_the_folder_above(String pattern, String name, String path) {
    assertEquals(path, path(pattern, name));
  }
}
