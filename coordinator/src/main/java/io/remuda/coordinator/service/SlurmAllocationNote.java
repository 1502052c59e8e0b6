package io.remuda.coordinator.service;

import io.remuda.agent.attempt.SmallJsonFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Says on which nodes of an allocation a server has agents, for the next server of the folder: if
 * this one is killed, nothing of them runs any more once the allocation has ended.
 *
 * @param jobs Slurm's ids of the allocation's components
 * @param name of the steps with the agents
 * @param nodes names of the nodes
 */
public record SlurmAllocationNote(List<String> jobs, String name, List<String> nodes) {

  private static final String FILE = "allocation.json";

  public SlurmAllocationNote {
    jobs = List.copyOf(jobs);
    nodes = List.copyOf(nodes);
  }

  static Optional<SlurmAllocationNote> read(Path home) {
    return SmallJsonFiles.read(home, FILE, SlurmAllocationNote.class);
  }

  void write(Path home) throws IOException {
    SmallJsonFiles.write(home, FILE, this);
  }

  static void remove(Path home) throws IOException {
    Files.deleteIfExists(home.resolve(FILE));
  }
}
