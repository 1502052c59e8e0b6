package io.remuda.agent.keeper;

/** Why a keeper did not start a task; the protocol carries the name. */
public enum RefusalCode {
  /**
   * Another server or agent of this machine, or a tree that outlived its keeper, holds a device.
   */
  DEVICE_BUSY,
  /** The folder or file of the device lock cannot be used. */
  DEVICE_LOCK_UNUSABLE,
  /** The program is missing, not executable, or of a wrong format. */
  CANNOT_RUN,
  /** The working folder is missing or not accessible. */
  WORKING_FOLDER,
  /** stdout or stderr cannot be written. */
  OUTPUT_FILE,
  /** The arguments are too long, or the keeper failed. */
  LIMIT,
  /**
   * The machine lacks something that may be free again: processes, memory, descriptors, space or
   * inodes on a disk.
   */
  SHORTAGE,
  /** The request itself is malformed. */
  INVALID,
  /** The process that was to be adopted has ended. */
  GONE,
  /** The client had stopped waiting, or was replaced, before the keeper read the request. */
  EXPIRED,
  /** It was withdrawn or expired while it waited, or the keeper is gone or out of memory. */
  NOT_BEGUN,
  /** The keeper is ending. */
  SHUTTING_DOWN
}
