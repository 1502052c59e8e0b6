package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;

/**
 * The libc functions that the keeper calls: C names, C types, no decisions.
 *
 * <p>For Linux with glibc on 64-bit x86 and ARM. After a result of -1 the cause is {@link
 * #errno()}, which must be read on the same thread before the next call; {@code posix_spawn*}
 * return the error number itself. All functions may be called from any thread.
 */
public final class Posix {
  public static final int SIGHUP = 1;
  public static final int SIGINT = 2;
  public static final int SIGKILL = 9;
  public static final int SIGTERM = 15;
  public static final int SIGCONT = 18;

  public static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  public static final int O_RDWR = 2;
  public static final int O_CREAT = 0x40;
  public static final int O_EXCL = 0x80;
  static final int O_NOCTTY = 0x100;
  static final int O_APPEND = 0x400;
  public static final int O_NONBLOCK = 0x800;
  public static final int O_CLOEXEC = 0x80000;
  static final int O_PATH = 0x200000;
  public static final int O_NOFOLLOW = Platform.isARM() ? 0x8000 : 0x20000;

  public static final int LOCK_EX = 2;
  public static final int LOCK_NB = 4;

  static final int F_SETFD = 2;
  static final int F_SETFL = 4;
  public static final int F_DUPFD_CLOEXEC = 1030;
  static final int FD_CLOEXEC = 1;

  static final int CLOCK_BOOTTIME = 7;

  public static final int P_ALL = 0;
  public static final int WNOHANG = 1;
  public static final int WEXITED = 4;
  public static final int WNOWAIT = 0x1000000;

  public static final int PR_SET_CHILD_SUBREAPER = 36;

  static final short POSIX_SPAWN_SETSIGDEF = 0x04;
  static final short POSIX_SPAWN_SETSIGMASK = 0x08;
  public static final short POSIX_SPAWN_SETSID = 0x80;

  static final int X_OK = 1;

  private static final int POLLFD_BYTES = 8;
  private static final short POLLIN = 1;

  private static final long SYS_PIDFD_SEND_SIGNAL = 424;
  private static final long SYS_PIDFD_OPEN = 434;

  static {
    Native.register(Posix.class, Platform.C_LIBRARY_NAME);
  }

  private Posix() {}

  public static native int posix_spawn(
      byte[] pid, byte[] path, Pointer actions, Pointer attributes, Pointer argv, Pointer envp);

  public static native int posix_spawn_file_actions_init(Pointer actions);

  public static native int posix_spawn_file_actions_destroy(Pointer actions);

  static native int posix_spawn_file_actions_addopen(
      Pointer actions, int fd, byte[] path, int flags, int mode);

  public static native int posix_spawn_file_actions_adddup2(Pointer actions, int fd, int newFd);

  public static native int posix_spawnattr_init(Pointer attributes);

  public static native int posix_spawnattr_destroy(Pointer attributes);

  public static native int posix_spawnattr_setflags(Pointer attributes, short flags);

  static native int posix_spawnattr_setsigdefault(Pointer attributes, Pointer signals);

  static native int posix_spawnattr_setsigmask(Pointer attributes, Pointer signals);

  static native int sigemptyset(Pointer signals);

  public static native Pointer signal(int number, Pointer handler);

  public static native int waitid(int idType, int id, Pointer info, int options);

  public static native int wait4(int pid, Pointer status, int options, Pointer usage);

  public static native int kill(int pid, int signal);

  public static native int setsid();

  public static native int getpid();

  public static native int getuid();

  public static native int getrlimit(int resource, Pointer limit);

  public static native int setrlimit(int resource, Pointer limit);

  public static native int prlimit(int pid, int resource, Pointer wanted, Pointer before);

  public static native int pipe2(int[] descriptors, int flags);

  public static native long write(int fd, byte[] bytes, long count);

  public static native int prctl(int option, long a, long b, long c, long d);

  public static native int open(byte[] path, int flags, int mode);

  public static native int close(int fd);

  public static native int dup2(int fd, int newFd);

  public static native int fcntl(int fd, int command, int argument);

  public static native int fchmod(int fd, int mode);

  public static native int flock(int fd, int operation);

  public static native int socket(int family, int type, int protocol);

  public static native int bind(int fd, Pointer address, int bytes);

  public static native int ftruncate(int fd, long length);

  public static native long pwrite(int fd, byte[] bytes, long count, long offset);

  static native int isatty(int fd);

  static native int access(byte[] path, int mode);

  public static native int chdir(byte[] path);

  static native int umask(int mask);

  public static native int mkdir(byte[] path, int mode);

  static native int statvfs(byte[] path, Pointer facts);

  public static native int chmod(byte[] path, int mode);

  static native int sched_getaffinity(int pid, long bytes, Pointer mask);

  static native int sched_setaffinity(int pid, long bytes, Pointer mask);

  static native int clock_gettime(int clock, Pointer time);

  static native Pointer strerror(int errno);

  static native int poll(Pointer descriptors, long count, int timeoutMillis);

  static native long syscall(long number, long a, long b, long c, long d);

  /** Returns the error number of this thread's last failed call. */
  public static int errno() {
    return Native.getLastError();
  }

  /** Returns false before glibc 2.34; the caller must then close the descriptors itself. */
  public static boolean addCloseFrom(Pointer actions, int firstFd) {
    return CloseFrom.IS_THERE
        && CloseFrom.posix_spawn_file_actions_addclosefrom_np(actions, firstFd) == 0;
  }

  /** Returns false before glibc 2.29; the caller must then change the folder itself. */
  static boolean addChdir(Pointer actions, byte[] folder) {
    return Chdir.IS_THERE && Chdir.posix_spawn_file_actions_addchdir_np(actions, folder) == 0;
  }

  /** Returns a descriptor for the process, closed on exec; -1 with ENOSYS before Linux 5.3. */
  public static int pidfd_open(int pid) {
    return (int) syscall(SYS_PIDFD_OPEN, pid, 0, 0, 0);
  }

  /** Waits for the end of a pidfd's process, up to a timeout; without a pidfd for the timeout. */
  public static void awaitEnd(int pidfd, int timeoutMillis) {
    try (Memory one = new Memory(POLLFD_BYTES)) {
      one.setInt(0, pidfd); // poll ignores a negative one
      one.setShort(4, POLLIN);
      one.setShort(6, (short) 0);
      poll(one, 1, timeoutMillis);
    }
  }

  static int pidfd_send_signal(int pidfd, int signal) {
    return (int) syscall(SYS_PIDFD_SEND_SIGNAL, pidfd, signal, 0, 0);
  }

  private static boolean isThere(Class<?> function) {
    try {
      Native.register(function, Platform.C_LIBRARY_NAME);
      return true;
    } catch (UnsatisfiedLinkError olderLibc) {
      return false;
    }
  }

  /** A function that older libraries lack; a class of its own can be registered for itself. */
  private static final class CloseFrom {
    static final boolean IS_THERE = isThere(CloseFrom.class);

    static native int posix_spawn_file_actions_addclosefrom_np(Pointer actions, int firstFd);
  }

  /** As {@link CloseFrom}. */
  private static final class Chdir {
    static final boolean IS_THERE = isThere(Chdir.class);

    static native int posix_spawn_file_actions_addchdir_np(Pointer actions, byte[] folder);
  }
}
