package io.remuda.coordinator.cli.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.command.RootCommand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.CommandSpec;

class FieldToOptionNamesTest {
  private static final CommandSpec SUBMIT =
      RootCommand.line().getSubcommands().get("submit").getCommandSpec();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "timeLimit: 60 what? write 60s | --time-limit: 60 what? write 60s",
        "mem: 'x' is not a size | --mem: 'x' is not a size",
        "grace must be at most 1 h, got 2h | --grace must be at most 1 h, got 2h",
        "labels has at most 100 entries | --label has at most 100 entries",
        "gpuMem and perGpu want GPUs, got gpus 0 | --gpu-mem and --per-gpu want GPUs, got gpus 0",
        "name must not be 'timeLimit' | --name must not be 'timeLimit'",
        "argv names no program | argv names no program",
        "count tasks: node nodeAgent has no count | count tasks: node nodeAgent has no count",
        "no node can ever run this | no node can ever run this"
      })
  void fields_become_options_and_other_words_stay(String message, String said) {
    assertEquals(said, FieldToOptionNames.in(message, SUBMIT));
  }
}
