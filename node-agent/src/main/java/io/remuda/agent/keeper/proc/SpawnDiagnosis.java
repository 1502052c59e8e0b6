package io.remuda.agent.keeper.proc;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnRequest;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Explains a failed start. posix_spawn returns one error number for all that the child does before
 * it runs the program, so the causes are checked here in the child's order. Shortages of the
 * machine, which may pass, differ in their code from faults of the task.
 */
final class SpawnDiagnosis {
  private SpawnDiagnosis() {}

  static SpawnFailureException of(SpawnRequest request, String program, int errno) {
    if (errno == Errno.E2BIG) {
      return new SpawnFailureException(RefusalCode.LIMIT, "arguments and environment are too long");
    }
    if (errno == Errno.EAGAIN || errno == Errno.ENOMEM) {
      return new SpawnFailureException(
          RefusalCode.SHORTAGE,
          "cannot start another process: " + Errno.text(errno) + " (process or memory limit)");
    }
    if (isShortage(errno)) {
      return new SpawnFailureException(
          RefusalCode.SHORTAGE, "cannot start another process: " + words(errno));
    }
    SpawnFailureException cause = folderFailure(request.workingFolder());
    return cause != null ? cause : programFailure(request, program, errno);
  }

  /** Explains an output file that cannot be opened. */
  static SpawnFailureException ofOutput(String name, Path path, int errno) {
    return new SpawnFailureException(
        isShortage(errno) ? RefusalCode.SHORTAGE : RefusalCode.OUTPUT_FILE,
        name + " " + path + " is not writable: " + words(errno));
  }

  /** Explains a stdin that cannot be opened. */
  static SpawnFailureException ofInput(Path path, int errno) {
    return new SpawnFailureException(
        isShortage(errno) ? RefusalCode.SHORTAGE : RefusalCode.OUTPUT_FILE,
        "stdin " + path + " is not readable: " + words(errno));
  }

  /** Returns whether the start may succeed later without a change of the task. */
  private static boolean isShortage(int errno) {
    return switch (errno) {
      case Errno.EMFILE, Errno.ENFILE, Errno.ENOSPC, Errno.EDQUOT, Errno.ENOMEM, Errno.EAGAIN ->
          true;
      default -> false;
    };
  }

  private static SpawnFailureException folderFailure(String folder) {
    File file = new File(folder);
    String problem = null;
    if (!file.exists()) {
      problem = "is missing";
    } else if (!file.isDirectory()) {
      problem = "is not a folder";
    } else if (Posix.access(CStrings.of(folder), Posix.X_OK) != 0) {
      problem = "is not accessible: " + words(Posix.errno());
    }
    return problem == null
        ? null
        : new SpawnFailureException(
            RefusalCode.WORKING_FOLDER, "working folder " + folder + " " + problem);
  }

  private static SpawnFailureException programFailure(
      SpawnRequest request, String program, int errno) {
    File file = new File(program);
    if (!file.isAbsolute()) {
      file = new File(request.workingFolder(), program);
    }
    String problem = words(errno) + (file.exists() ? "" : ProgramLookup.advice(program));
    if (errno == Errno.ENOEXEC) {
      problem = "neither a program for this machine nor a script with a #! line";
    } else if (errno == Errno.ENOENT && file.exists()) {
      problem = "its interpreter is missing" + interpreter(file);
    } else if (file.isDirectory()) {
      problem = "is a folder";
    } else if (errno == Errno.EACCES && file.exists()) {
      problem = "not executable";
    }
    return new SpawnFailureException(
        RefusalCode.CANNOT_RUN, "cannot run " + program + ": " + problem);
  }

  private static String interpreter(File script) {
    try (FileInputStream file = new FileInputStream(script)) {
      String start = new String(file.readNBytes(200), StandardCharsets.UTF_8);
      int end = start.indexOf('\n');
      return start.startsWith("#!") && end > 0 ? " (" + start.substring(2, end).trim() + ")" : "";
    } catch (IOException unreadable) {
      return "";
    }
  }

  private static String words(int errno) {
    return errno == Errno.ENOENT ? "no such file" : Errno.text(errno).toLowerCase(Locale.ROOT);
  }
}
