package io.remuda.agent.attempt;

import io.remuda.agent.output.ScratchFolders;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is known of the folders of commands, so that nobody looks for what is not there. Most hold
 * no notes: those of commands that use nothing which is noted there, no devices, streams,
 * container, gang, training, launch terms or limit of memory. After a restart of the agent nothing
 * is known, and it looks.
 */
public final class CommandFolders {

  private final AgentSettings settings;
  private final ScratchFolders scratch;
  private final Set<AttemptId> bare = ConcurrentHashMap.newKeySet();

  public CommandFolders(AgentSettings settings) {
    this.settings = settings;
    this.scratch = new ScratchFolders(settings.folder());
  }

  /** Returns the scratch folders of commands. */
  public ScratchFolders scratch() {
    return scratch;
  }

  /** Notes that the folder of an order was prepared. */
  public void prepared(TaskStartOrder order) {
    if (order.workload() instanceof CommandWorkload command
        && order.devices().isEmpty()
        && order.training() == null
        && order.job().start() == null
        && order.job().request().memory() == 0
        && command.container() == null
        && command.streams() == null
        && command.launch() == null) {
      bare.add(order.attempt());
    }
  }

  /** Returns whether the folder of an attempt may hold notes. Any thread. */
  public boolean mayHaveNotes(AttemptId attempt) {
    return !bare.contains(attempt);
  }

  /**
   * Returns the end of an attempt, which is all in its exit record if it succeeded and has no
   * notes; else blocks while the disk hangs. Any thread.
   */
  public TaskEnd end(AttemptId attempt, UninterpretedAttemptEnd unread) {
    boolean known = !mayHaveNotes(attempt) && unread.exit() != null && unread.endCause() == null;
    Optional<TaskEnd> end = known ? ExitInterpreter.success(unread.exit()) : Optional.empty();
    return end.orElseGet(() -> unread.readOrSaid(TaskFolder.of(settings, attempt)));
  }

  /**
   * Moves the folder of a command to the ended tasks, after the coordinator has learned the end;
   * blocks while the disk hangs. One thread, which also prepares folders.
   *
   * @return whether its scratch folder or its output is to be cleaned
   */
  public boolean retire(AttemptId attempt) throws IOException {
    TaskFolder folder = TaskFolder.of(settings, attempt);
    boolean known = bare.remove(attempt);
    if (known) {
      folder.retire(settings);
    }
    return (known || folder.retireCommand(settings))
        && !TaskFolder.ended(settings, attempt).tidy(scratch);
  }
}
