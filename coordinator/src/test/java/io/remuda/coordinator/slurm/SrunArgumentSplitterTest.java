package io.remuda.coordinator.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SrunArgumentSplitterTest {

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " \t\n "})
  void nothing_but_blanks_is_no_word(String text) {
    assertEquals(List.of(), SrunArgumentSplitter.split(text));
  }

  @Test
  void blanks_of_any_kind_and_number_separate_words() {
    assertEquals(
        List.of("--mem=4G", "-c", "2"), SrunArgumentSplitter.split("  --mem=4G \t -c\n2 "));
  }

  @Test
  void quotes_of_both_kinds_keep_blanks_and_each_other() {
    assertEquals(
        List.of("--comment=two words", "it's", "say \"so\""),
        SrunArgumentSplitter.split("--comment='two words' \"it's\" 'say \"so\"'"));
  }

  @Test
  void a_quoted_part_joins_what_touches_it() {
    assertEquals(List.of("abcd"), SrunArgumentSplitter.split("a'b'\"c\"d"));
  }

  @Test
  void an_empty_pair_of_quotes_is_an_empty_word() {
    assertEquals(List.of("", "x", ""), SrunArgumentSplitter.split("'' x \"\""));
  }

  @Test
  void nothing_else_of_a_shell_is_meant() {
    assertEquals(
        List.of("$HOME", "a\\", "*", "~", ";", "#x"),
        SrunArgumentSplitter.split("$HOME a\\ * ~ ; #x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'", "--comment=\"two words", "a 'b \" c"})
  void a_quote_that_is_not_closed_is_refused_with_the_text(String text) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> SrunArgumentSplitter.split(text));
    assertTrue(refusal.getMessage().startsWith("--srun-args: "), refusal.getMessage());
    assertTrue(refusal.getMessage().endsWith(text), refusal.getMessage());
  }
}
