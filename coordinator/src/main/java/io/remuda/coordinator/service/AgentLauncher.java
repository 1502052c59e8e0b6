package io.remuda.coordinator.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Starts the agent of a server's machine, and finds one that an earlier server has left. */
public interface AgentLauncher {

  /**
   * Returns the agent that holds a node's folder.
   *
   * @throws IOException if the folder cannot be read
   */
  Optional<Agent> find(Path folder) throws IOException;

  /**
   * Starts an agent and does not wait until it has joined.
   *
   * @param folder of the node
   * @param options of the agent, as on a command line
   * @throws IOException if it cannot be started
   */
  Agent start(Path folder, List<String> options) throws IOException;

  /** An agent of this machine. Any thread. */
  interface Agent {

    /** Returns whether it still runs. */
    boolean isAlive();

    /** Returns its exit code; only of an agent that {@link #start} has given and that has ended. */
    int exitCode();

    /** Asks it to end, as SIGTERM does; its tasks go on. Does not wait. */
    void askToEnd();
  }
}
