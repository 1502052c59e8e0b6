package io.remuda.coordinator.launch;

import io.remuda.agent.settings.Distribution;
import java.nio.file.Path;

/**
 * What agents are told of their run.
 *
 * @param run its name
 * @param folder of the run
 * @param access its access file; agents wait until it is there
 * @param cache for class archives, native libraries and data
 * @param simulatedGpus such as {@code h200:8}, or null for the machines' own
 */
public record RunPlace(
    String run,
    Path folder,
    Path access,
    Path cache,
    String simulatedGpus,
    Distribution distribution) {

  /** Where a node's log goes, and on this machine all that it keeps. */
  public Path node(String name) {
    return folder.resolve("nodes").resolve(name);
  }
}
