package io.remuda.coordinator.launch;

import io.remuda.agent.settings.Distribution;
import java.nio.file.Path;

/**
 * What agents need to know of their run.
 *
 * @param run its name
 * @param folder of the run
 * @param access its access file; agents wait until it exists
 * @param cache for class archives, native libraries and data
 * @param simulatedGpus such as {@code h200:8}, or null for real GPUs
 */
public record AgentLaunchSettings(
    String run,
    Path folder,
    Path access,
    Path cache,
    String simulatedGpus,
    Distribution distribution) {

  /** Returns the folder of a node's log and, on this machine, of all its files. */
  public Path node(String name) {
    return folder.resolve("nodes").resolve(name);
  }
}
