package io.remuda.worker.workload.mnist;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** What the newest snapshot of a folder holds, for tests in other packages. */
public final class SavedStates {

  private SavedStates() {}

  /** Returns weights, optimiser and generators by name. */
  public static Map<String, byte[]> newest(Path folder)
      throws IOException, SnapshotRefusedException {
    return SnapshotFolder.open(folder)
        .newest(System.out::println)
        .orElseThrow()
        .snapshot()
        .states();
  }
}
