package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuNumberHintTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ValueError: invalid literal for int() with base 10: 'GPU-ce47a1b2-0000'",
        "ValueError: invalid literal for int() with base 10: \"MIG-ce47a1b2\""
      })
  void a_program_that_wants_numbers_and_had_uuids_gets_a_hint(String line) {
    String hint = GpuNumberHint.of("Traceback (most recent call last):\n" + line + "\n").orElse("");
    assertTrue(hint.contains("docs/troubleshooting.md"), hint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ValueError: invalid literal for int() with base 10: 'eight'",
        "no device GPU-ce47a1b2"
      })
  void another_failure_gets_none(String line) {
    assertFalse(GpuNumberHint.of(line).isPresent());
  }
}
