package io.remuda.agent.keeper;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;

/**
 * The libc functions that the keeper calls: C names, C types, no decisions.
 *
 * <p>For Linux with glibc on 64-bit x86 and ARM. After a result of -1 the cause is {@link
 * #errno()}, which must be read on the same thread before the next call; {@code posix_spawn*}
 * return the error number itself. All functions may be called from any thread.
 */
final class Posix {
  static final int SIGHUP = 1;
  static final int SIGINT = 2;
  static final int SIGKILL = 9;
  static final int SIGTERM = 15;
  static final int SIGCONT = 18;

  static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  static final int O_RDWR = 2;
  static final int O_CREAT = 0x40;
  static final int O_EXCL = 0x80;
  static final int O_APPEND = 0x400;
  static final int O_NONBLOCK = 0x800;
  static final int O_CLOEXEC = 0x80000;
  static final int O_NOFOLLOW = Platform.isARM() ? 0x8000 : 0x20000;

  static final int LOCK_EX = 2;
  static final int LOCK_NB = 4;

  static final int F_SETFD = 2;
  static final int F_DUPFD_CLOEXEC = 1030;
  static final int FD_CLOEXEC = 1;

  static final int CLOCK_BOOTTIME = 7;

  static final int P_ALL = 0;
  static final int WNOHANG = 1;
  static final int WEXITED = 4;
  static final int WNOWAIT = 0x1000000;

  static final int PR_SET_CHILD_SUBREAPER = 36;

  static final short POSIX_SPAWN_SETSIGDEF = 0x04;
  static final short POSIX_SPAWN_SETSIGMASK = 0x08;
  static final short POSIX_SPAWN_SETSID = 0x80;

  static final int X_OK = 1;

  private static final int POLLFD_BYTES = 8;
  private static final short POLLIN = 1;

  private static final long SYS_PIDFD_SEND_SIGNAL = 424;
  private static final long SYS_PIDFD_OPEN = 434;

  private static final Function ADD_CLOSE_FROM =
      optional("posix_spawn_file_actions_addclosefrom_np");
  private static final Function ADD_CHDIR = optional("posix_spawn_file_actions_addchdir_np");

  static {
    Native.register(Posix.class, Platform.C_LIBRARY_NAME);
  }

  private Posix() {}

  static native int posix_spawn(
      byte[] pid, byte[] path, Pointer actions, Pointer attributes, Pointer argv, Pointer envp);

  static native int posix_spawn_file_actions_init(Pointer actions);

  static native int posix_spawn_file_actions_destroy(Pointer actions);

  static native int posix_spawn_file_actions_addopen(
      Pointer actions, int fd, byte[] path, int flags, int mode);

  static native int posix_spawn_file_actions_adddup2(Pointer actions, int fd, int newFd);

  static native int posix_spawnattr_init(Pointer attributes);

  static native int posix_spawnattr_destroy(Pointer attributes);

  static native int posix_spawnattr_setflags(Pointer attributes, short flags);

  static native int posix_spawnattr_setsigdefault(Pointer attributes, Pointer signals);

  static native int posix_spawnattr_setsigmask(Pointer attributes, Pointer signals);

  static native int sigemptyset(Pointer signals);

  static native Pointer signal(int number, Pointer handler);

  static native int waitid(int idType, int id, Pointer info, int options);

  static native int wait4(int pid, Pointer status, int options, Pointer usage);

  static native int kill(int pid, int signal);

  static native int setsid();

  static native int getpid();

  static native int getuid();

  static native int getrlimit(int resource, Pointer limit);

  static native int setrlimit(int resource, Pointer limit);

  static native int pipe2(int[] descriptors, int flags);

  static native long write(int fd, byte[] bytes, long count);

  static native int prctl(int option, long a, long b, long c, long d);

  static native int open(byte[] path, int flags, int mode);

  static native int close(int fd);

  static native int dup2(int fd, int newFd);

  static native int fcntl(int fd, int command, int argument);

  static native int fchmod(int fd, int mode);

  static native int flock(int fd, int operation);

  static native int socket(int family, int type, int protocol);

  static native int bind(int fd, Pointer address, int bytes);

  static native int ftruncate(int fd, long length);

  static native long pwrite(int fd, byte[] bytes, long count, long offset);

  static native int access(byte[] path, int mode);

  static native int chdir(byte[] path);

  static native int umask(int mask);

  static native int mkdir(byte[] path, int mode);

  static native int statvfs(byte[] path, Pointer facts);

  static native int chmod(byte[] path, int mode);

  static native int clock_gettime(int clock, Pointer time);

  static native Pointer strerror(int errno);

  static native int poll(Pointer descriptors, long count, int timeoutMillis);

  static native long syscall(long number, long a, long b, long c, long d);

  /** Returns the error number of this thread's last failed call. */
  static int errno() {
    return Native.getLastError();
  }

  /** Returns false before glibc 2.34; the caller must then close the descriptors itself. */
  static boolean addCloseFrom(Pointer actions, int firstFd) {
    return ADD_CLOSE_FROM != null && ADD_CLOSE_FROM.invokeInt(new Object[] {actions, firstFd}) == 0;
  }

  /** Returns false before glibc 2.29; the caller must then change the folder itself. */
  static boolean addChdir(Pointer actions, byte[] folder) {
    return ADD_CHDIR != null && ADD_CHDIR.invokeInt(new Object[] {actions, folder}) == 0;
  }

  /** Returns a descriptor for the process, closed on exec; -1 with ENOSYS before Linux 5.3. */
  static int pidfd_open(int pid) {
    return (int) syscall(SYS_PIDFD_OPEN, pid, 0, 0, 0);
  }

  /** Waits for the end of a pidfd's process, up to a timeout; without a pidfd for the timeout. */
  static void awaitEnd(int pidfd, int timeoutMillis) {
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

  private static Function optional(String name) {
    try {
      return NativeLibrary.getInstance(Platform.C_LIBRARY_NAME).getFunction(name);
    } catch (UnsatisfiedLinkError olderLibc) {
      return null;
    }
  }
}
