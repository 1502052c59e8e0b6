package io.remuda.agent.keeper.proc;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnRequest;
import java.io.File;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds the file of a program as execvp would, but in the PATH of the task. */
public final class ProgramLookup {
  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  /** Words that only a shell knows. */
  private static final Set<String> OF_A_SHELL =
      Set.of(
          ".", "alias", "cd", "eval", "export", "module", "pushd", "set", "shopt", "source", "trap",
          "ulimit", "umask", "unset");

  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*=\\S*");
  private static final Pattern LINE = Pattern.compile(".*[\\s;&|<>()].*", Pattern.DOTALL);

  private ProgramLookup() {}

  /**
   * Returns what to do about a program that is not found because only a shell would understand it,
   * with a semicolon before it; empty if it looks like the name of a program.
   */
  public static String advice(String program) {
    if (ASSIGNMENT.matcher(program).matches()) {
      return "; it is a variable: give it by --env " + program + ", or the whole line to --shell";
    }
    if (LINE.matcher(program).matches()) {
      return "; it is a line for a shell: give it to --shell";
    }
    return OF_A_SHELL.contains(program)
        ? "; " + program + " is a word of the shell: give the whole line to --shell"
        : "";
  }

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
            ? "cannot run " + program + ": not found in PATH " + path + advice(program)
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
