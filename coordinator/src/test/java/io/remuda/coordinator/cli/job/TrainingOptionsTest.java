package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.agent.settings.Invocation;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class TrainingOptionsTest {

  @Command
  private static final class Submission {
    @Mixin private final TrainingOptions training = new TrainingOptions();
  }

  private static Map<String, Object> fields(String... arguments) {
    Submission submission = new Submission();
    new CommandLine(submission).parseArgs(arguments);
    return submission.training.fields();
  }

  @Test
  void only_what_is_given_is_sent_and_folders_are_whole_paths() {
    assertEquals(Map.of(), fields());
    assertEquals(
        Map.of(
            "epochs", 20, "snapshots", Invocation.folder() + "/snap", "data", "/d", "maxGpus", 4),
        fields("--epochs", "20", "--snapshots", "./snap", "--data", "/d", "--max-gpus", "4"));
  }

  @Test
  void one_gpu_is_a_highest_number_of_one_and_contradicts_others() {
    assertEquals(Map.of("maxGpus", 1), fields("--single-gpu"));
    assertEquals(Map.of("maxGpus", 1), fields("--single-gpu", "--max-gpus", "1"));
    String message =
        assertThrows(ParameterException.class, () -> fields("--single-gpu", "--max-gpus", "3"))
            .getMessage();
    assertEquals("--single-gpu is --max-gpus 1, got --max-gpus 3", message);
  }
}
