package io.remuda.coordinator.service;

import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.coordinator.launch.AgentProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Why the node of the server's machine has not joined, by what is in its folder: its agent cannot
 * tell a server that it does not reach. Any thread.
 *
 * @param folder of the node; empty if the server has none
 */
record OwnNodeAbsence(Optional<Path> folder) {

  /** The node that a server begins with an agent of its own. */
  static OwnNodeAbsence of(RunningJobServer.Request request, ServiceFolder folder) {
    return new OwnNodeAbsence(
        request.allocation().isEmpty()
            ? request.agent().map(more -> folder.node(request.machine()))
            : Optional.empty());
  }

  /** Returns the name of the node. */
  Optional<String> node() {
    return folder.map(its -> its.getFileName().toString());
  }

  /** Returns why it cannot join, as far as it is known before its agent has tried. Reads files. */
  Optional<String> foreseen() {
    return folder
        .flatMap(KeeperProcessHandle::elsewhere)
        .map(why -> "node " + node().orElseThrow() + " cannot join: " + why);
  }

  /** Returns why it has not joined: else what its agent has said last. Reads files. */
  Optional<String> reason() {
    return foreseen().or(() -> folder.map(AgentProcess::log).flatMap(this::said));
  }

  private Optional<String> said(Path log) {
    return Files.exists(log)
        ? Optional.of(
            "node "
                + node().orElseThrow()
                + " has not joined; the last line of "
                + log
                + ": "
                + AgentProcess.lastWords(log, 0))
        : Optional.empty();
  }
}
