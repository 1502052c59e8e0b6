package io.remuda.agent.keeper.proc;

import io.remuda.agent.keeper.SpawnRequest;
import java.io.Closeable;
import java.nio.file.Path;

/**
 * The output files of a task, opened before its process exists: the disk may hang, and a child that
 * waits for it would block the thread that starts it and keep all inherited descriptors.
 */
public final class OutputFiles implements Closeable {
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

  /** Opens both files; waits for the disk without a limit. */
  public static OutputFiles open(SpawnRequest request) throws SpawnFailure {
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

  /** Deletes empty files after a failed start: they would look as if a program had run. */
  public void discard() {
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
