package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.TaskView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A request without its complete answer; the answer to a list may come in several frames. */
final class PendingKeeperCall {

  private final Consumer<KeeperFrameDecoder> told;
  private final List<TaskView> tasks = new ArrayList<>();

  /** Whether the keeper has queued it, so that the answer may take any time. */
  private volatile boolean queued;

  /** Whether it is a kill. */
  private final boolean ends;

  /** Bytes that it adds to the open starts; 0 if it is none or has an answer. */
  private int open;

  private PendingKeeperCall(Consumer<KeeperFrameDecoder> told, boolean ends, int open) {
    this.told = told;
    this.ends = ends;
    this.open = open;
  }

  /** Creates a request whose answer is passed on. */
  static PendingKeeperCall of(Consumer<KeeperFrameDecoder> told) {
    return new PendingKeeperCall(told, false, 0);
  }

  /** Creates a request to end something; its answer is ignored. */
  static PendingKeeperCall ofKill() {
    return new PendingKeeperCall(done -> {}, true, 0);
  }

  /**
   * Creates a request to start a task.
   *
   * @param bytes of its frame
   */
  static PendingKeeperCall ofStart(Consumer<KeeperFrameDecoder> told, int bytes) {
    return new PendingKeeperCall(told, false, bytes);
  }

  boolean isQueued() {
    return queued;
  }

  void queued() {
    queued = true;
  }

  boolean ends() {
    return ends;
  }

  /** Returns the bytes that it adds to the open starts, once; 0 for other requests. */
  int takeOpen() {
    int bytes = open;
    open = 0;
    return bytes;
  }

  /** Returns the tasks of a list so far. */
  List<TaskView> tasks() {
    return tasks;
  }

  void answered(KeeperFrameDecoder frame) {
    told.accept(frame);
  }
}
