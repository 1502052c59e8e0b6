package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.settings.ProcessArgumentsAndEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class TrainingOptionsTest {

  @Command
  private static final class Submission {
    @Mixin private final JobOptions job = new JobOptions();
  }

  private static Map<String, Object> fields(String... arguments) {
    Submission submission = new Submission();
    new CommandLine(submission).parseArgs(arguments);
    Map<String, Object> fields = submission.job.request();
    fields.keySet().removeAll(List.of("argv", "env", "workdir", "project", "umask"));
    return fields;
  }

  @Test
  void only_what_is_given_is_sent_and_folders_are_whole_paths() {
    assertEquals(Map.of(), fields());
    assertEquals(
        Map.of(
            "epochs",
            20,
            "snapshots",
            ProcessArgumentsAndEnvironment.folder() + "/snap",
            "data",
            "/d",
            "maxGpus",
            4),
        fields("--epochs", "20", "--snapshots", "./snap", "--data", "/d", "--max-gpus", "4"));
  }

  @Test
  void one_gpu_is_a_highest_number_of_one_and_contradicts_others() {
    Map<String, Object> one = Map.of("epochs", 2, "maxGpus", 1);
    assertEquals(one, fields("--epochs", "2", "--single-gpu"));
    assertEquals(one, fields("--epochs", "2", "--single-gpu", "--max-gpus", "1"));
    String message =
        assertThrows(ParameterException.class, () -> fields("--single-gpu", "--max-gpus", "3"))
            .getMessage();
    assertEquals("--single-gpu is --max-gpus 1, got --max-gpus 3", message);
  }

  private static String refusal(String... arguments) {
    return assertThrows(ParameterException.class, () -> fields(arguments)).getMessage();
  }

  @Test
  void what_makes_no_sense_is_refused_by_the_name_of_its_option(@TempDir Path folder)
      throws IOException {
    Path file = Files.createFile(folder.resolve("train.py"));
    assertEquals(
        "--max-gpus must be 1 to 1024, got 0", refusal("--epochs", "2", "--max-gpus", "0"));
    assertEquals(
        "--snapshots: " + file + " is not a folder",
        refusal("--epochs", "2", "--snapshots", file.toString()));
    assertEquals(
        "--snapshots is empty: is a variable of your shell unset?",
        refusal("--epochs", "2", "--snapshots", ""));
    assertTrue(refusal("--snapshots", "/s").endsWith("of trainings: how many --epochs?"));
    assertTrue(refusal("--single-gpu").endsWith("of trainings: how many --epochs?"));
  }
}
