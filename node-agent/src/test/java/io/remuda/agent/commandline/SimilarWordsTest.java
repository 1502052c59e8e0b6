package io.remuda.agent.commandline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarWordsTest {
  private static final List<String> VERBS =
      List.of("submit", "state", "show", "stop", "serve", "run", "release", "requeue", "resume");

  @ParameterizedTest
  @CsvSource({
    "sumbit, submit",
    "submti, submit",
    "Submit, submit",
    "stat, state",
    "sohw, show",
    "re, release requeue resume",
    "frobnicate, ''",
    "x, ''",
    "ru, run"
  })
  void what_differs_by_few_letters_or_is_a_beginning_is_meant(String typed, String meant) {
    assertEquals(meant, String.join(" ", SimilarWords.to(typed, VERBS)));
  }

  @Test
  void dashes_and_underscores_count_for_nothing() {
    assertEquals(
        List.of("--gpu-mem"), SimilarWords.to("--gpu_mem", List.of("--gpu-mem", "--name")));
    assertEquals(
        List.of("--time-limit"), SimilarWords.to("--timeLimit", List.of("--time-limit", "--name")));
  }

  @Test
  void two_swapped_letters_are_one_mistake() {
    assertEquals(1, SimilarWords.distance("sumbit", "submit"));
    assertEquals(3, SimilarWords.distance("kitten", "sitting"));
  }
}
