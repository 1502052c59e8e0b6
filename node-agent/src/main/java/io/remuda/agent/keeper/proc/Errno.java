package io.remuda.agent.keeper.proc;

import com.sun.jna.Pointer;

/** The Linux error numbers that the keeper distinguishes, and the messages of all. */
public final class Errno {
  public static final int ENOENT = 2;
  static final int ESRCH = 3;
  static final int E2BIG = 7;
  static final int ENOEXEC = 8;
  public static final int ECHILD = 10;
  public static final int EAGAIN = 11;
  static final int ENOMEM = 12;
  static final int EACCES = 13;
  public static final int EEXIST = 17;
  static final int ENFILE = 23;
  static final int EMFILE = 24;
  static final int ENOSPC = 28;
  public static final int ELOOP = 40;
  public static final int EADDRINUSE = 98;
  static final int EDQUOT = 122;

  private Errno() {}

  /** Returns the C library's message, such as "No such file or directory". */
  public static String text(int errno) {
    Pointer words = Posix.strerror(errno);
    return words == null ? Integer.toString(errno) : words.getString(0);
  }
}
