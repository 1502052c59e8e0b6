package io.remuda.coordinator.cli.job;

import io.remuda.agent.commandline.Caller;
import io.remuda.worker.job.TrainingTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that make a job a training, which become the fields of the HTTP interface. */
final class TrainingOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description =
          "a training of N epochs, which may be asked to leave between two of them and goes on"
              + " later (docs/training.md)")
  private Integer epochs;

  @Option(
      names = "--snapshots",
      paramLabel = "DIR",
      description = "folder for a training's snapshots; it is made if it is missing")
  private Path snapshots;

  @Option(names = "--custom", paramLabel = "DIR", description = "a training's folder of your files")
  private Path custom;

  @Option(names = "--data", paramLabel = "DIR", description = "a training's folder of data")
  private Path data;

  @Option(
      names = "--batch-size",
      paramLabel = "B",
      description = "samples of a training's batch on one GPU; passed to the training")
  private Integer batchSize;

  @Option(
      names = "--training-set-size",
      paramLabel = "T",
      description = "samples of the training set; passed to the training")
  private Integer trainingSetSize;

  @Option(
      names = "--max-gpus",
      paramLabel = "N",
      description = "1 to N GPUs for a training, as many as its measured speed is worth")
  private Integer maxGpus;

  @Option(names = "--single-gpu", description = "one GPU for a training; means --max-gpus 1")
  private boolean singleGpu;

  @Option(
      names = "--est-hours",
      paramLabel = "H",
      description = "estimated run time of a training; counts until its first epoch is measured")
  private Double estHours;

  /**
   * Returns the fields that were given.
   *
   * @throws ParameterException if two options contradict each other
   */
  Map<String, Object> fields() {
    if (singleGpu && maxGpus != null && maxGpus != 1) {
      throw new ParameterException(
          spec.commandLine(), "--single-gpu is --max-gpus 1, got --max-gpus " + maxGpus);
    }
    if (maxGpus != null && (maxGpus < 1 || maxGpus > TrainingTerms.MOST_GPUS)) {
      throw new ParameterException(
          spec.commandLine(),
          "--max-gpus must be 1 to " + TrainingTerms.MOST_GPUS + ", got " + maxGpus);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    JobOptions.put(fields, "epochs", epochs);
    JobOptions.put(fields, "snapshots", path("--snapshots", snapshots));
    JobOptions.put(fields, "custom", path("--custom", custom));
    JobOptions.put(fields, "data", path("--data", data));
    JobOptions.put(fields, "batchSize", batchSize);
    JobOptions.put(fields, "trainingSetSize", trainingSetSize);
    JobOptions.put(fields, "maxGpus", singleGpu ? Integer.valueOf(1) : maxGpus);
    JobOptions.put(fields, "estHours", estHours);
    if (epochs == null && !fields.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--snapshots, --custom, --data, --batch-size, --training-set-size, --max-gpus,"
              + " --single-gpu and --est-hours are of trainings: how many --epochs?");
    }
    return fields;
  }

  /**
   * Returns the absolute path of a folder. It may be missing here, since the job may run elsewhere.
   *
   * @throws ParameterException if it can be no folder
   */
  private String path(String option, Path given) {
    if (given == null) {
      return null;
    }
    if (given.toString().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), option + " is empty: is a variable of your shell unset?");
    }
    Caller caller = Caller.of(spec);
    Path found = caller.resolve(given);
    if (Files.exists(found) && !Files.isDirectory(found)) {
      throw new ParameterException(spec.commandLine(), option + ": " + given + " is no folder");
    }
    return JobOptions.absolute(given, caller);
  }
}
