package io.remuda.agent.keeper;

/** Why a keeper did not start a task; the wire carries the name. */
public enum RefusalCode {
  /**
   * Another server or agent of this machine, or a tree that outlived its keeper, holds a device.
   */
  DEVICE_BUSY,
  /** The folder or file of the device lock cannot be used. */
  DEVICE_LOCK_UNUSABLE,
  /** The program is missing, not executable, or of a wrong format. */
  CANNOT_RUN,
  /** The working folder is missing or closed to us. */
  WORKING_FOLDER,
  /** stdout or stderr cannot be written. */
  OUTPUT_FILE,
  /** Arguments too long. */
  LIMIT,
  /**
   * The machine has too little of something that it may have again: processes, memory, descriptors,
   * room or inodes on a disk.
   */
  SHORTAGE,
  /** The request itself is malformed. */
  INVALID,
  /** The process that was to be adopted has ended. */
  GONE,
  /** The caller had stopped waiting for it, or was replaced, before the keeper read the request. */
  EXPIRED,
  /** It waited for its slot and was withdrawn, or the caller has stopped waiting. */
  NOT_BEGUN,
  /** The keeper is ending. */
  SHUTTING_DOWN
}
