package io.remuda.coordinator.cli.logs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LogsCommandTest {

  @ParameterizedTest
  @ValueSource(strings = {"--err", "--stderr", "--out", "--stdout"})
  void a_stream_has_the_names_that_other_programs_give_it(String option) {
    assertDoesNotThrow(() -> new CommandLine(new LogsCommand()).parseArgs(option, "7"));
  }

  @Test
  void both_streams_at_once_are_refused() {
    assertThrows(
        CommandLine.ParameterException.class,
        () -> new CommandLine(new LogsCommand()).parseArgs("--err", "--stdout", "7"));
  }
}
