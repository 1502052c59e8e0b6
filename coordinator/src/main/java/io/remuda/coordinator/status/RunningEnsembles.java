package io.remuda.coordinator.status;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the statuses of the user's active runs. */
public final class RunningEnsembles {

  private static final String FILE = "status.json";
  private static final long FRESH_MILLIS = 10_000;

  private RunningEnsembles() {}

  /** Returns the status file of a run. */
  public static Path fileOf(Path run) {
    return run.resolve(FILE);
  }

  /**
   * Returns the statuses; leaves out runs that have ended or have not written for 10 s.
   *
   * @param runs folder with the runs' folders; it may be missing
   * @param nowMillis wall-clock time, which is compared with the files' times
   */
  public static List<RunNodesStatus> in(Path runs, long nowMillis) {
    List<RunNodesStatus> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(runs)) {
      all.sorted()
          .map(run -> status(fileOf(run), nowMillis))
          .forEach(one -> one.ifPresent(found::add));
    } catch (IOException none) {
      return found;
    }
    return found;
  }

  /** Returns the status of a run, or of the job service, by its folder. */
  public static Optional<RunNodesStatus> of(Path folder, long nowMillis) {
    return status(fileOf(folder), nowMillis);
  }

  private static Optional<RunNodesStatus> status(Path file, long nowMillis) {
    try {
      boolean fresh = nowMillis - Files.getLastModifiedTime(file).toMillis() < FRESH_MILLIS;
      return fresh ? Optional.ofNullable(RunStatusFile.read(file)) : Optional.empty();
    } catch (IOException goneOrHalfRemoved) {
      return Optional.empty();
    }
  }
}
