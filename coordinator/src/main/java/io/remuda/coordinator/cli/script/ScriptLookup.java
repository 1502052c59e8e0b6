package io.remuda.coordinator.cli.script;

import io.remuda.agent.keeper.proc.ProgramLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the programs and scripts that commands name.
 *
 * @param here folder of the shell, absolute
 * @param workdir working folder of the job, absolute
 * @param path value of its {@code PATH}
 */
public record ScriptLookup(Path here, Path workdir, String path) {

  /** Where programs are looked up if the job has no {@code PATH}. */
  public static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  private static final String[] ENDINGS = {".sh", ".bash", ".py", ".sbatch", ".slurm", ".job"};

  /**
   * Returns the file that a word names if it may be a script: a path with a slash, relative to the
   * working folder, or the name of a file in the shell's folder that is not in another folder of
   * {@code PATH}.
   */
  public Optional<Path> script(String word) {
    if (word.isEmpty()) {
      return Optional.empty();
    }
    if (word.indexOf('/') >= 0) {
      return regular(workdir.resolve(word));
    }
    boolean isProgram =
        folders()
            .filter(folder -> !folder.equals(here.normalize())) // such as . in PATH
            .filter(folder -> !folder.equals(workdir.normalize()))
            .map(folder -> folder.resolve(word))
            .anyMatch(ScriptLookup::isProgram);
    return isProgram ? Optional.empty() : regular(here.resolve(word));
  }

  private static Optional<Path> regular(Path file) {
    return Files.isRegularFile(file) ? Optional.of(file.normalize()) : Optional.empty();
  }

  private boolean isInPath(String word) {
    return folders().map(folder -> folder.resolve(word)).anyMatch(ScriptLookup::isProgram);
  }

  private Stream<Path> folders() {
    return Stream.of(path.split(":", -1)).map(folder -> workdir.resolve(folder).normalize());
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** Returns a path with a slash by which a job finds a file: below its working folder if it is. */
  String pathOf(Path file) {
    return file.startsWith(workdir) ? "./" + workdir.relativize(file) : file.toString();
  }

  /** Returns why a job with this program could not start on this machine; empty if it could. */
  public Optional<String> fault(String program) {
    if (!Files.isDirectory(workdir)) {
      return Optional.of(
          (Files.exists(workdir)
                  ? "the working folder is not a folder: "
                  : "no such working folder: ")
              + workdir);
    }
    if (program.indexOf('/') < 0) {
      return isInPath(program)
          ? Optional.empty()
          : Optional.of("no program '" + program + "' in PATH" + advice(program));
    }
    Path file = workdir.resolve(program);
    if (isProgram(file)) {
      return Optional.empty();
    }
    return Optional.of(
        Files.isDirectory(file)
            ? "cannot run " + program + ": it is a folder"
            : Files.exists(file)
                ? "cannot run "
                    + program
                    + ": it is not executable and has no #! (chmod +x "
                    + program
                    + ", or name the program that runs it)"
                : "cannot run " + program + ": no such file" + advice(program));
  }

  /** Returns what is probably meant, or what to do; empty if neither is known. */
  private String advice(String word) {
    String plain = word.startsWith("./") ? word.substring(2) : word;
    for (String ending : ENDINGS) {
      if (Files.isRegularFile(here.resolve(plain + ending))) {
        return "; did you mean ./" + plain + ending + "?";
      }
    }
    if (plain.indexOf('/') >= 0 || !Files.isRegularFile(here.resolve(plain))) {
      return ProgramLookup.advice(word);
    }
    return plain.equals(word)
        ? "; ./" + plain + " is a file that is not executable and has no #!"
        : "; it is in this folder and not in that of the job: leave out the ./";
  }
}
