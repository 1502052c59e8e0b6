package io.remuda.agent.keeper.protocol;

/**
 * The frames between an agent and a keeper: int length of the rest, byte kind, int id, body. An
 * answer carries the id of its request. All numbers are big-endian; a text is an int length and
 * UTF-8.
 *
 * <p>The first frame of a client is {@link #HELLO}. A keeper of another version answers {@link
 * #ERROR}.
 */
final class KeeperProtocol {
  static final int VERSION = 8;

  /**
   * What a keeper of this version can do besides, a number behind the version in {@link #WELCOME};
   * 0 for one that says none. From 1 on it knows {@link #END} and the reach of signals behind a
   * {@link #SPAWN}. Agents send what their keeper knows.
   */
  static final int LEVEL = 1;

  static final int MAGIC = 0x52454d4b; // REMK
  static final int FRAME_LIMIT = 4 << 20;

  /** Limit of tasks in one {@link #TASKS} frame. */
  static final int TASKS_LIMIT = 1000;

  static final byte HELLO = 1;
  static final byte SPAWN = 2;
  static final byte KILL = 3;
  static final byte LIST = 4;
  static final byte RENEW = 5;
  static final byte FORGET = 6;
  static final byte SHUTDOWN = 7;
  static final byte ADOPT = 8;
  static final byte RELEASE = 9;
  static final byte WITHDRAW = 10;

  /** What later starts of this connection have in common, by a number. */
  static final byte TEMPLATE = 11;

  /** Asks a task's first process to end by a signal of its own; sent by agents of level 0. */
  static final byte LEAVE = 12;

  /** Asks a task to end by a signal and says which of its processes get it. */
  static final byte END = 13;

  static final byte WELCOME = 64;
  static final byte DONE = 65;
  static final byte STARTED = 66;
  static final byte KNOWN = 67;
  static final byte REFUSED = 68;
  static final byte TASKS = 69;
  static final byte EXITED = 70;
  static final byte ERROR = 71;

  /** The request waits for its slot or is slow; its answer follows with the same id. */
  static final byte QUEUED = 72;

  private KeeperProtocol() {}
}
