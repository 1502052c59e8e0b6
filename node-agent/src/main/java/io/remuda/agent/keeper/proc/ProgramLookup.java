package io.remuda.agent.keeper.proc;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnRequest;
import java.io.File;
import java.util.Objects;

/** Finds the file of a program as execvp would, but in the PATH of the task. */
public final class ProgramLookup {
  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  private ProgramLookup() {}

  /** Returns a path with a slash; a relative one is relative to the task's working folder. */
  public static String locate(SpawnRequest request) throws SpawnFailureException {
    String program = request.argv().get(0);
    if (program.indexOf('/') >= 0) {
      return program;
    }
    String path = Objects.requireNonNullElse(request.variable("PATH"), DEFAULT_PATH);
    String unusable = null;
    for (String folder : path.split(":", -1)) {
      File file = in(request, folder, program);
      if (!file.isFile()) {
        continue;
      }
      if (Posix.access(CStrings.of(file.getPath()), Posix.X_OK) == 0) {
        return file.getPath();
      }
      unusable = file.getPath();
    }
    throw new SpawnFailureException(
        RefusalCode.CANNOT_RUN,
        unusable == null
            ? "cannot run " + program + ": not found in PATH " + path
            : "cannot run " + unusable + ": not executable");
  }

  /**
   * Accesses folder and program here, so that a file server that is away does not block the spawn.
   *
   * @param program as {@link #locate} has found it
   */
  public static void touch(String program, String folder) {
    String path = program.startsWith("/") ? program : folder + "/" + program;
    Posix.access(CStrings.of(folder), Posix.X_OK);
    Posix.access(CStrings.of(path), Posix.X_OK);
  }

  private static File in(SpawnRequest request, String folder, String program) {
    File base = new File(folder.isEmpty() ? "." : folder);
    File absolute = base.isAbsolute() ? base : new File(request.workingFolder(), base.getPath());
    return new File(absolute, program);
  }
}
