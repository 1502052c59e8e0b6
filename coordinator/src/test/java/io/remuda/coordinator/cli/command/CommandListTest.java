package io.remuda.coordinator.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

class CommandListTest {

  private static Set<String> of(String line) {
    return CommandList.of(line.isEmpty() ? new String[0] : line.split(" ")).keySet();
  }

  @Test
  void each_is_called_as_it_says_itself() {
    CommandList.all()
        .forEach((name, type) -> assertEquals(type.getAnnotation(Command.class).name(), name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--help", "-h", "-v --help", "-vh", "--help run", "-h state", "completion"})
  void what_may_be_about_any_of_them_knows_them_all(String line) {
    assertEquals(CommandList.all().keySet(), of(line));
  }

  @Test
  void a_command_is_read_without_the_others() {
    assertEquals(Set.of("state"), of("state --help"));
    assertEquals(Set.of("submit", "run"), of("submit -- run"));
    assertEquals(Set.of("submit"), of("submit @words"));
    assertEquals(Set.of(), of("--mnist-workers 2 --scipy-workers 2"));
    assertEquals(Set.of(), of(""));
  }
}
