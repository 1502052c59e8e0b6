package io.remuda.agent.container;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.TaskFolderPreparation;
import io.remuda.agent.attempt.UninterpretedAttemptEnd;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Work that calls container engines, in order and on a thread of its own, since an engine may take
 * half a minute for each call and files need not wait for it. No method blocks; what follows is run
 * on that thread. Any thread.
 */
public final class EngineWork {

  private final NodeContainers containers;
  private final AgentSettings settings;
  private final LongSupplier nanoClock;

  /** Null until it is needed: most nodes run no containers. */
  private FileWork thread;

  public EngineWork(NodeContainers containers, AgentSettings settings, LongSupplier nanoClock) {
    this.containers = containers;
    this.settings = settings;
    this.nanoClock = nanoClock;
  }

  private synchronized FileWork thread() {
    if (thread == null) {
      thread = FileWork.onThread("engines", nanoClock);
    }
    return thread;
  }

  /** Drops all work that has not begun. */
  public synchronized void close() {
    if (thread != null) {
      thread.close();
    }
  }

  private void add(Runnable work, Runnable then) {
    thread()
        .add(
            () -> {
              work.run();
              return null;
            },
            fault -> null,
            done -> then.run());
  }

  /**
   * Prepares the container of an order.
   *
   * @param folder its folder, which is prepared
   * @param then gets the folder, or why the order cannot start
   */
  public void prepare(
      TaskStartOrder order, TaskFolderPreparation folder, Consumer<TaskFolderPreparation> then) {
    thread().add(() -> prepared(order, folder), TaskFolderPreparation::notBegun, then);
  }

  private TaskFolderPreparation prepared(TaskStartOrder order, TaskFolderPreparation prepared) {
    TaskFolder folder = TaskFolder.of(settings, order.attempt());
    try {
      containers.prepare(order, folder);
      return prepared;
    } catch (ContainerRefusedException refused) {
      return TaskFolderPreparation.refused(
          TaskEnd.because(TaskEnd.Kind.CANNOT_START, refused.getMessage()));
    } catch (IOException | RuntimeException fault) {
      return TaskFolderPreparation.refused(TaskFolderPreparation.cannot(folder, fault));
    }
  }

  /** Removes the container of an attempt that has ended. */
  public void finish(TaskFolder folder, UninterpretedAttemptEnd end, Runnable then) {
    add(() -> containers.finish(folder, end.exit(), end.endCause() != null), then);
  }

  /** Removes the containers of attempts whose keeper was lost; there may be none. */
  public void finishLost(List<TaskFolder> folders, Runnable then) {
    if (folders.isEmpty()) {
      then.run();
      return;
    }
    add(() -> folders.forEach(folder -> containers.finish(folder, null, true)), then);
  }

  /**
   * Removes the containers of attempts that ended without an agent or a keeper.
   *
   * @param held what the keeper has
   */
  public void removeLeft(List<TaskView> held, Runnable then) {
    add(() -> removeLeft(held), then);
  }

  private void removeLeft(List<TaskView> held) {
    for (TaskFolder folder : TaskFolder.open(settings).values()) {
      if (NodeContainers.isIn(folder)) {
        folder.exit().ifPresent(exit -> containers.finish(folder, exit, false));
      }
    }
    containers.sweep(
        held.stream()
            .filter(task -> task.state() != TaskView.State.EXITED)
            .map(TaskView::key)
            .collect(Collectors.toSet()));
  }
}
