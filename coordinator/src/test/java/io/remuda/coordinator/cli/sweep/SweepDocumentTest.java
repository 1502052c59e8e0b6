package io.remuda.coordinator.cli.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.history.HistoryCommand;
import io.remuda.coordinator.cli.job.ResubmitCommand;
import io.remuda.coordinator.cli.job.SetCommand;
import io.remuda.coordinator.cli.job.SubmitCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The commands of docs/sweeps.md are read as they stand there. */
class SweepDocumentTest {
  private static final Map<String, Supplier<Object>> COMMANDS =
      Map.of(
          "submit",
          SubmitCommand::new,
          "resubmit",
          ResubmitCommand::new,
          "set",
          SetCommand::new,
          "history",
          HistoryCommand::new);

  private static List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    boolean shell = false;
    for (String line : Files.readAllLines(Path.of("..", "docs", "sweeps.md"))) {
      if (line.startsWith("```")) {
        shell = line.equals("```sh");
      } else if (shell) {
        lines.add(line.replaceFirst(" +#.*", "").replaceFirst(" > \\S+$", ""));
      }
    }
    return lines;
  }

  @Test
  void every_command_of_the_document_is_read() throws IOException {
    List<String> faults = new ArrayList<>();
    for (String line : lines()) {
      List<String> words = List.of(line.split(" "));
      try {
        new CommandLine(COMMANDS.get(words.get(1)).get())
            .parseArgs(words.subList(2, words.size()).toArray(String[]::new));
      } catch (ParameterException wrong) {
        faults.add(line + ": " + wrong.getMessage());
      }
    }
    assertEquals(List.of(), faults);
    assertTrue(lines().size() > 8, () -> "the document has too few commands");
  }
}
