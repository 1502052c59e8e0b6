package io.remuda.coordinator.cli.script;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which programs of Slurm the text of a shell script calls.
 *
 * <p>The text is not parsed as a shell does: a word counts where a command may stand, and what
 * follows a number sign in a line does not count. What is missed has no warning, and the job runs
 * as it would have.
 *
 * @param programs names, {@code scontrol} with its words
 */
public record SlurmProgramCalls(Set<String> programs) {

  /** What to write in place of each, in the order of a message. */
  private static final Map<String, String> INSTEAD = new LinkedHashMap<>();

  static {
    INSTEAD.put("scancel", "remuda cancel");
    INSTEAD.put("squeue", "remuda queue");
    INSTEAD.put("sbatch", "remuda submit");
    INSTEAD.put("salloc", "remuda run --pty");
    INSTEAD.put("sacct", "remuda state --all");
    INSTEAD.put("sinfo", "remuda nodes");
    INSTEAD.put("sattach", "remuda attach");
    INSTEAD.put("sbcast", "cp");
    INSTEAD.put("scontrol requeue", "remuda requeue");
    INSTEAD.put("scontrol hold", "remuda hold");
    INSTEAD.put("scontrol release", "remuda release");
    INSTEAD.put("scontrol update", "remuda set");
    INSTEAD.put("scontrol show job", "remuda show");
    INSTEAD.put("scontrol show node", "remuda nodes");
  }

  /** What a job finds on its node. */
  private static final Set<String> HERE = Set.of("srun", "scontrol show hostnames");

  private static final String SCONTROL = "scontrol";

  /** A word where a command may stand: at the start, or after a separator or a keyword. */
  private static final Pattern CALL =
      Pattern.compile(
          "(?:^|[;&|({!`]|\\b(?:exec|time|then|do|else|if|elif|while|until)\\s"
              + "|\\btrap\\s+['\"]|(?<=\\s)[a-z*]+\\))"
              + "\\s*(?:[A-Za-z_]\\w*=(?:'[^']*'|\"[^\"]*\"|[^\\s;&|]*)\\s+)*"
              + "(?:/\\S*/)?(srun|scancel|squeue|sbatch|salloc|sacct|sinfo|sattach|sbcast|scontrol"
              + "(?:\\s+show)?\\s+[a-z]+)(?=[\\s;&|)`'\"]|$)");

  /** A number sign that begins a comment. */
  private static final Pattern COMMENT = Pattern.compile("(?:^|\\s)#.*");

  public SlurmProgramCalls {
    programs = Set.copyOf(programs);
  }

  /** Returns the calls of a script's text. */
  static SlurmProgramCalls of(String text) {
    Set<String> programs = new TreeSet<>();
    text.lines()
        .map(line -> COMMENT.matcher(line).replaceFirst(""))
        .forEach(
            line -> {
              Matcher call = CALL.matcher(line);
              while (call.find()) {
                programs.add(call.group(1).replaceAll("\\s+", " "));
              }
            });
    return new SlurmProgramCalls(programs);
  }

  /** Returns whether {@code srun} is one of them. */
  public boolean srun() {
    return programs.contains("srun");
  }

  /** Returns those that a job does not find on its node, in the order of the message. */
  List<String> withoutCounterpart() {
    List<String> known = INSTEAD.keySet().stream().filter(programs::contains).toList();
    return Stream.concat(
            known.stream(),
            programs.stream()
                .filter(name -> !HERE.contains(name) && !known.contains(name))
                .sorted())
        .toList();
  }

  /** Returns a sentence about those that a job does not find; empty if there are none. */
  Optional<String> warning() {
    List<String> missing = withoutCounterpart();
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    String instead =
        missing.stream()
            .map(INSTEAD::get)
            .filter(Objects::nonNull)
            .distinct()
            .collect(Collectors.joining(", "));
    int last = missing.size() - 1;
    String names =
        last == 0
            ? missing.get(0)
            : String.join(", ", missing.subList(0, last)) + " and " + missing.get(last);
    return Optional.of(
        names
            + " of Slurm "
            + (last == 0 ? "does" : "do")
            + " not know jobs of Remuda"
            + (instead.isEmpty() ? "" : ": write " + instead));
  }
}
