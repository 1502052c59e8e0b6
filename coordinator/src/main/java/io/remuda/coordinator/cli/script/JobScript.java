package io.remuda.coordinator.cli.script;

import io.remuda.worker.job.signal.SignalNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A script: what runs it, and the directives in its head, which ends before the first command.
 *
 * @param file absolute path
 * @param interpreter the words of its first line after {@code #!}; empty if it has none
 * @param directives in their order
 * @param slurmVariables names of variables of Slurm that are in its text, in alphabetical order
 * @param foreign how directives of other programs begin that are in its head and not read
 * @param slurmPrograms programs of Slurm that it calls
 * @param trapped signals, without {@code SIG}, for which it has a {@code trap}
 */
public record JobScript(
    Path file,
    List<String> interpreter,
    List<DirectiveLine> directives,
    List<String> slurmVariables,
    List<String> foreign,
    SlurmProgramCalls slurmPrograms,
    Set<String> trapped) {

  private static final Pattern SLURM = Pattern.compile("\\bSLURMD?_[A-Z0-9_]+");

  /** A trap with its command, quoted or one word, and the signals. */
  private static final Pattern TRAP =
      Pattern.compile(
          "(?m)^[^#\\n"
              + "]*\\btrap\\s+(?:--\\s+)?(?:'[^']*'|\"[^\"]*\"|\\S+)((?:[ \\t]+[A-Za-z0-9]+)+)");

  /** Heads are short; a file without a line break is not read whole. */
  private static final int MOST_BYTES = 256 << 10;

  private static final String INTERPRETER = "#!";
  private static final Pattern FOREIGN = Pattern.compile("(#HQ|#PBS|#BSUB|#OAR|# ?GFLOW)\\s.*");
  private static final List<String> NO_LINES = List.of();

  public JobScript {
    interpreter = List.copyOf(interpreter);
    directives = List.copyOf(directives);
    slurmVariables = List.copyOf(slurmVariables);
    foreign = List.copyOf(foreign);
    trapped = Set.copyOf(trapped);
  }

  /**
   * Reads the head of a file; a program in machine code has none.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if a directive is malformed; the message has file and line
   */
  public static JobScript read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return of(file, in.readNBytes(MOST_BYTES));
    }
  }

  /**
   * Returns the script whose text begins so.
   *
   * @param file what messages call it
   * @throws IllegalArgumentException if a directive is malformed; the message has file and line
   */
  static JobScript of(Path file, byte[] head) {
    String plain = new String(head, StandardCharsets.ISO_8859_1);
    boolean text = !plain.contains("\0");
    List<String> interpreter = List.of();
    List<DirectiveLine> directives = new ArrayList<>();
    Set<String> foreign = new TreeSet<>();
    int number = 0;
    for (String line :
        text ? new String(head, StandardCharsets.UTF_8).lines().toList() : NO_LINES) {
      number++;
      if (number == 1 && line.startsWith(INTERPRETER)) {
        interpreter = interpreter(line.substring(INTERPRETER.length()).strip());
      } else if (line.isBlank() || line.stripLeading().startsWith("#")) {
        add(file, line, number, directives);
        Matcher other = FOREIGN.matcher(line);
        if (other.matches()) {
          foreign.add(other.group(1));
        }
      } else {
        break;
      }
    }
    List<String> variables =
        text
            ? SLURM.matcher(plain).results().map(MatchResult::group).distinct().sorted().toList()
            : List.of();
    return new JobScript(
        file,
        interpreter,
        directives,
        variables,
        List.copyOf(foreign),
        SlurmProgramCalls.of(text ? plain : ""),
        text ? trapped(plain) : Set.of());
  }

  private static Set<String> trapped(String text) {
    return TRAP.matcher(text)
        .results()
        .flatMap(trap -> Arrays.stream(trap.group(1).strip().split("[ \\t]+")))
        .flatMap(signal -> SignalNames.plainOfNumberOrName(signal).stream())
        .collect(Collectors.toSet());
  }

  private static void add(Path file, String line, int number, List<DirectiveLine> directives) {
    try {
      DirectiveLine.of(line, number).ifPresent(directives::add);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(place(file, number) + wrong.getMessage(), wrong);
    }
  }

  /** Returns the interpreter and its argument; as for the kernel, there is at most one. */
  private static List<String> interpreter(String line) {
    String[] parts = line.split("[ \\t]+", 2);
    return line.isEmpty() ? List.of() : List.of(parts);
  }

  private static String place(Path file, int number) {
    return file.getFileName() + ":" + number + ": ";
  }

  /** Returns file and line of a directive, as compilers print them. */
  String place(DirectiveLine directive) {
    return place(file, directive.number());
  }

  /** Returns the name of the file. */
  public String name() {
    return file.getFileName().toString();
  }

  /**
   * Returns whether it is one for sbatch: its head has options of it, or its text a variable, or a
   * call of {@code srun}.
   */
  public boolean isForSbatch() {
    return hasOptionsOfSbatch() || !slurmVariables.isEmpty() || slurmPrograms.srun();
  }

  /** Returns whether its head has a line with options of sbatch. */
  public boolean hasOptionsOfSbatch() {
    return !directives(DirectiveLine.Kind.SBATCH).isEmpty();
  }

  /** Returns the directives of one kind. */
  List<DirectiveLine> directives(DirectiveLine.Kind kind) {
    return directives.stream().filter(line -> line.kind() == kind).toList();
  }
}
