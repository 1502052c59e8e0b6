package io.remuda.agent.keeper.proc;

import io.remuda.agent.keeper.SpawnRequest;
import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The standard streams of a task, opened before its process exists: the disk may hang, and a child
 * that waits for it would block the thread that starts it and keep all inherited descriptors.
 *
 * <p>Stdin is what the agent has put into the task's folder as {@value #INPUT}: a file, a link to
 * one, a pipe, or a terminal; without that it is empty. A terminal is also stdout and stderr.
 */
public final class StandardStreamFiles implements Closeable {
  private static final int FLAGS =
      Posix.O_WRONLY | Posix.O_CREAT | Posix.O_APPEND | Posix.O_CLOEXEC;
  private static final int MODE = 0600;
  private static final String INPUT = "in";

  /** Tells that the files were opened, where links to users' files are in their places. */
  private static final String BEGUN = "begun";

  private static final int INPUT_FLAGS =
      Posix.O_RDONLY | Posix.O_NONBLOCK | Posix.O_NOCTTY | Posix.O_CLOEXEC;

  private final SpawnRequest request;
  private final int stdout;
  private final int stderr;

  /** Negative if there is no stdin. */
  private final int stdin;

  private StandardStreamFiles(SpawnRequest request, int stdin, int stdout, int stderr) {
    this.request = request;
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /** Opens all files; waits for the disk without a limit. */
  public static StandardStreamFiles open(SpawnRequest request) throws SpawnFailureException {
    int stdin = openInput(input(request));
    try {
      return open(request, stdin);
    } catch (SpawnFailureException failure) {
      Posix.close(stdin);
      throw failure;
    }
  }

  private static StandardStreamFiles open(SpawnRequest request, int stdin)
      throws SpawnFailureException {
    int stdout = create(request.stdout());
    int stderr = stdout < 0 ? stdout : create(request.stderr());
    try {
      if (stderr < 0) { // one of them is there, maybe as a link
        noteBegun(request);
        stdout = stdout < 0 ? open("stdout", request.stdout()) : stdout;
        stderr = open("stderr", request.stderr());
      }
      return new StandardStreamFiles(request, stdin, stdout, stderr);
    } catch (SpawnFailureException failure) {
      if (stdout >= 0) {
        Posix.close(stdout);
        removeIfEmpty(request.stdout());
      }
      throw failure;
    }
  }

  private static Path input(SpawnRequest request) {
    return request.taskFolder().resolve(INPUT);
  }

  /**
   * Returns the descriptor of what is there, negative if there is nothing; never waits for the
   * other end of a pipe.
   */
  private static int openInput(Path path) throws SpawnFailureException {
    byte[] name = CStrings.of(path.toString());
    int ofLink = errnoOfLink(name);
    if (ofLink == Errno.ENOENT) { // mostly
      return -1;
    }
    int fd = Posix.open(name, INPUT_FLAGS, 0);
    if (fd < 0) {
      int errno = Posix.errno();
      throw SpawnDiagnosis.ofInput(path, ofLink == 0 ? errno : ofLink);
    }
    Posix.fcntl(fd, Posix.F_SETFL, 0);
    return fd;
  }

  /** Returns why the file itself, maybe a link to none, cannot be opened; 0 if it can. */
  private static int errnoOfLink(byte[] name) {
    int fd = Posix.open(name, Posix.O_PATH | Posix.O_NOFOLLOW | Posix.O_CLOEXEC, 0);
    if (fd < 0) {
      return Posix.errno();
    }
    Posix.close(fd);
    return 0;
  }

  /** A file that is there already says nothing about whether a process was started. */
  private static void noteBegun(SpawnRequest request) throws SpawnFailureException {
    if (Files.isSymbolicLink(request.stdout()) || Files.isSymbolicLink(request.stderr())) {
      Posix.close(open("a note", request.taskFolder().resolve(BEGUN)));
    }
  }

  /** Returns the descriptor of an output file that was not there before, as most; else negative. */
  private static int create(Path path) {
    return Posix.open(CStrings.of(path.toString()), FLAGS | Posix.O_EXCL, MODE);
  }

  private static int open(String name, Path path) throws SpawnFailureException {
    int fd = Posix.open(CStrings.of(path.toString()), FLAGS, MODE);
    if (fd < 0) {
      throw SpawnDiagnosis.ofOutput(name, path, Posix.errno());
    }
    return fd;
  }

  int stdin() {
    return stdin;
  }

  /** Returns the path of the terminal that is all three streams; null if there is none. */
  String terminal() {
    return stdin >= 0 && Posix.isatty(stdin) == 1 ? input(request).toString() : null;
  }

  int stdout() {
    return stdout;
  }

  int stderr() {
    return stderr;
  }

  /** Deletes empty files after a failed start: they would look as if a program had run. */
  public void discard() {
    removeIfEmpty(request.stdout());
    removeIfEmpty(request.stderr());
    removeIfEmpty(request.taskFolder().resolve(BEGUN));
  }

  private static void removeIfEmpty(Path path) {
    if (path.toFile().isFile() && path.toFile().length() == 0 && !path.toFile().delete()) {
      KeeperLog.line("keeper: " + path + " stays though nothing was started");
    }
  }

  @Override
  public void close() {
    if (stdin >= 0) {
      Posix.close(stdin);
    }
    Posix.close(stdout);
    Posix.close(stderr);
  }
}
