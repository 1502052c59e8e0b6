package io.remuda.coordinator.cli.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.command.RootCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
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
        "labels.rack must have a text before | --label rack must have a text before",
        "env.A: this is set by Remuda | --env A: this is set by Remuda",
        "gang.failure must be fail, got 'x' | --gang-failure must be fail, got 'x'",
        "gang.roles must be 1 to 100 roles | gang.roles must be 1 to 100 roles",
        "nodes must be names of nodes | --node must be names of nodes",
        "excludeNodes has at most 1000 entries | --exclude has at most 1000 entries",
        "resources: resource 'lic' is given twice | --resource: resource 'lic' is given twice",
        "lines, number 1, has a line break | --each-line, number 1, has a line break",
        "params.a: a value is empty in '' | --param a: a value is empty in ''",
        "openMode requires output or error | --open-mode requires output or error",
        "argv names no program | argv names no program",
        "count tasks: node nodeAgent has no count | count tasks: node nodeAgent has no count",
        "nodes that are drained: 2 | nodes that are drained: 2",
        "no node can ever run this | no node can ever run this"
      })
  void fields_become_options_and_other_words_stay(String message, String said) {
    assertEquals(said, FieldToOptionNames.in(message, SUBMIT));
  }

  @Test
  void of_several_options_of_a_field_the_one_that_was_typed_is_named() {
    CommandLine remuda = RootCommand.line();
    remuda.parseArgs("submit", "--from-csv", "t.csv", "x");
    CommandLine submit = remuda.getSubcommands().get("submit");
    assertEquals(
        "--from-csv: entry 2 has no field 'a'",
        FieldToOptionNames.in("entries: entry 2 has no field 'a'", submit.getCommandSpec()));
    assertEquals(
        "--from-json: entry 2 has no field 'a'",
        FieldToOptionNames.in("entries: entry 2 has no field 'a'", SUBMIT));
  }
}
