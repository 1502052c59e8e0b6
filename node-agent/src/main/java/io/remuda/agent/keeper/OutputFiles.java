package io.remuda.agent.keeper;

import java.io.Closeable;
import java.nio.file.Path;

/**
 * The files that a task prints to, open before there is a process: the disk may stand still, and a
 * process that waits for it would hold up the thread that starts it with all that it has inherited.
 */
final class OutputFiles implements Closeable {
  private static final int FLAGS =
      Posix.O_WRONLY | Posix.O_CREAT | Posix.O_APPEND | Posix.O_CLOEXEC;
  private static final int MODE = 0600;

  private final SpawnRequest request;
  private final int stdout;
  private final int stderr;

  private OutputFiles(SpawnRequest request, int stdout, int stderr) {
    this.request = request;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /** Opens both; this may take as long as the disk likes. */
  static OutputFiles open(SpawnRequest request) throws SpawnFailure {
    int stdout = open("stdout", request.stdout());
    try {
      return new OutputFiles(request, stdout, open("stderr", request.stderr()));
    } catch (SpawnFailure failure) {
      Posix.close(stdout);
      removeIfEmpty(request.stdout());
      throw failure;
    }
  }

  private static int open(String name, Path path) throws SpawnFailure {
    int fd = Posix.open(CStrings.of(path.toString()), FLAGS, MODE);
    if (fd < 0) {
      throw SpawnDiagnosis.ofOutput(name, path, Posix.errno());
    }
    return fd;
  }

  int stdout() {
    return stdout;
  }

  int stderr() {
    return stderr;
  }

  /** Nothing was started that prints: files that are empty look as if something had been. */
  void discard() {
    removeIfEmpty(request.stdout());
    removeIfEmpty(request.stderr());
  }

  private static void removeIfEmpty(Path path) {
    if (path.toFile().isFile() && path.toFile().length() == 0 && !path.toFile().delete()) {
      KeeperLog.line("keeper: " + path + " stays though nothing was started");
    }
  }

  @Override
  public void close() {
    Posix.close(stdout);
    Posix.close(stderr);
  }
}
