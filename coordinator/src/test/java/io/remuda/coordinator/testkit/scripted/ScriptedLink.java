package io.remuda.coordinator.testkit.scripted;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.KeeperGoneException;
import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** An agent's connection to its {@link ScriptedKeeper}. */
final class ScriptedLink implements KeeperLink {

  private final ScriptedKeeper keeper;
  private final Listener listener;
  private Throwable closedBy;

  ScriptedLink(ScriptedKeeper keeper, Listener listener) {
    this.keeper = keeper;
    this.listener = listener;
  }

  void exited(TaskView task) {
    listener.exited(task);
  }

  void end(Throwable cause) {
    synchronized (keeper) {
      if (closedBy != null) {
        return;
      }
      closedBy = cause;
      keeper.left(this);
    }
    listener.disconnected(cause);
  }

  private ScriptedKeeper open() {
    synchronized (keeper) {
      if (closedBy != null) {
        throw new KeeperGoneException(closedBy);
      }
    }
    return keeper;
  }

  @Override
  public void spawn(SpawnRequest request, Consumer<SpawnAnswer> told) {
    open().spawn(request, told);
  }

  @Override
  public void withdraw(String key) {
    open().withdraw(key);
  }

  @Override
  public void adopt(DeviceHoldRequest request, Consumer<SpawnAnswer> told) {
    open().adopt(request, told);
  }

  @Override
  public void release(String key) {
    open().release(key);
  }

  @Override
  public void kill(String key, long graceMillis) {
    open().kill(key, graceMillis);
  }

  @Override
  public void end(String key, EndingSignal how, long graceMillis) {
    open().end(key, how, graceMillis);
  }

  @Override
  public void list(Consumer<List<TaskView>> told) {
    told.accept(open().views());
  }

  @Override
  public void renew(Collection<String> keys, long contactMillis) {
    open().renew(keys, contactMillis);
  }

  @Override
  public void forget(Collection<String> keys) {
    open().forget(keys);
  }

  @Override
  public void shutdown(long graceMillis) {
    open().shutdown(graceMillis);
  }

  @Override
  public void close() {
    end(new IOException("closed by this side"));
  }
}
