package io.remuda.coordinator.cli.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.option.FieldOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class StandardStreamOptionsTest {

  /** A command with these options alone. */
  @CommandLine.Command
  static final class OnlyStreams {
    private final FieldOptions given = FieldOptions.ofJob();
    @CommandLine.Mixin private final CommandSpec fields = given.mixin();
    private final StandardStreamOptions streams = new StandardStreamOptions(given);
  }

  @ParameterizedTest
  @CsvSource({"%A_%a.out, %j_%a.out", "%%A.out, %%A.out", "%%%A.out, %%%j.out", "out/%j, out/%j"})
  void the_number_of_an_array_is_that_of_the_job(String typed, String sent) {
    OnlyStreams command = new OnlyStreams();
    new CommandLine(command).parseArgs("--output", typed);
    assertEquals(sent, command.streams.fields().get("output"));
  }
}
