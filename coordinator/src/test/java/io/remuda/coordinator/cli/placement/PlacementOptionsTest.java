package io.remuda.coordinator.cli.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class PlacementOptionsTest {

  /** A command with these options alone. */
  @CommandLine.Command
  static final class OnlyPlacement {
    @CommandLine.Mixin PlacementOptions placement;
  }

  private static List<String> after(String... args) {
    OnlyPlacement command = new OnlyPlacement();
    new CommandLine(command).parseArgs(args);
    return command.placement.after(List.of("1:any"));
  }

  @Test
  void after_each_follows_jobs_task_by_task_and_takes_no_outcome() {
    assertEquals(List.of("1:any", "2:each", "a:each"), after("--after-each", "2,a"));
    assertEquals(
        "--after-each takes the number or name of a job without an outcome, since each task waits"
            + " for the success of one; got 'a:any': for other outcomes use --after"
            + " JOB:ok|any|fail",
        assertThrows(ParameterException.class, () -> after("--after-each", "a:any")).getMessage());
  }
}
