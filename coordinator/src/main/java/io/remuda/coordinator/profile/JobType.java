package io.remuda.coordinator.profile;

import io.remuda.telemetry.render.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The type of jobs of one user that need about the same resources.
 *
 * @param user the owner; types of other users are separate
 * @param name given by the user, or derived from the command and its project
 */
public record JobType(String user, String name) {

  private static final int MOST = 500;

  /** Most characters of a project in a derived name; of a longer one the end is kept. */
  private static final int MOST_PROJECT = 200;

  private static final String ELLIPSIS = "...";

  /** Options with a value that identifies the program. */
  private static final Set<String> PROGRAM_OPTIONS = Set.of("-m", "--module", "-c");

  /** Programs that run the script or program given after their options. */
  private static final Pattern LAUNCHERS =
      Pattern.compile(
          "(.*/)?(python[0-9.]*|pypy[0-9.]*|torchrun|accelerate|deepspeed|horovodrun|mpirun|mpiexec"
              + "|srun|env|nice|time|uv|poetry|conda|node|ruby|perl|julia|Rscript|sh|bash|dash|zsh)");

  private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh");
  private static final Pattern WITH_SCRIPT = Pattern.compile("-[a-z]*c");
  private static final Pattern FOLDERS = Pattern.compile(".*/(?=.)");
  private static final Pattern VALUE = Pattern.compile("=.*");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  public JobType {
    Objects.requireNonNull(user, "user");
    boolean printable = name.chars().noneMatch(Character::isISOControl);
    if (name.isBlank() || name.length() > MOST || !printable) {
      throw new IllegalArgumentException(
          "type must be 1 to "
              + MOST
              + " printable characters, got "
              + (name.length() > MOST
                  ? name.length() + " characters"
                  : "'" + PrintableText.of(name) + "'"));
    }
  }

  /**
   * Returns the type name of a command: the command without option values and numbers, which differ
   * within a parameter sweep. The word after an interpreter or launcher and its options is the
   * script, never an option value. For a shell with {@code -c} the words of its script are used.
   */
  public static String nameOf(List<String> argv) {
    boolean shell =
        argv.size() >= 3
            && WITH_SCRIPT.matcher(argv.get(1)).matches()
            && SHELLS.contains(base(argv));
    String name =
        String.join(" ", shell ? kept(List.of(argv.get(2).strip().split("\\s+"))) : kept(argv));
    String line = asName(name, MOST);
    return line.isBlank() ? asName(base(argv), MOST) : line;
  }

  /**
   * Returns the type name of a command of a project, so that equal commands of different projects
   * have different types.
   *
   * @param project the folder of the project; null or blank if unknown
   */
  public static String nameOf(List<String> argv, String project) {
    if (project == null || project.isBlank()) {
      return nameOf(argv);
    }
    String end = " in " + asName(endOf(project), MOST_PROJECT + ELLIPSIS.length() + 1);
    return asName(nameOf(argv), MOST - end.length()) + end;
  }

  private static String endOf(String project) {
    int from = project.length() - MOST_PROJECT;
    if (from <= 0) {
      return project;
    }
    return ELLIPSIS
        + project.substring(Character.isLowSurrogate(project.charAt(from)) ? from + 1 : from);
  }

  /** Limits the length, and replaces each run of characters not allowed in names by a blank. */
  private static String asName(String text, int most) {
    StringBuilder name = new StringBuilder();
    boolean left = false;
    for (int at = 0; at < text.length() && name.length() < most - 1; ) {
      int one = text.codePointAt(at);
      boolean good = PrintableText.isOfName(one);
      if (good || !left) {
        name.appendCodePoint(good ? one : ' ');
      }
      left = !good;
      at += Character.charCount(one);
    }
    return name.toString();
  }

  private static String base(List<String> argv) {
    return FOLDERS.matcher(argv.get(0)).replaceFirst("");
  }

  private static List<String> kept(List<String> words) {
    List<String> kept = new ArrayList<>();
    String before = "";
    boolean script = false;
    for (String word : words) {
      boolean value = before.startsWith("-") && !PROGRAM_OPTIONS.contains(before);
      boolean option = isOption(word);
      if (option) {
        kept.add(VALUE.matcher(word).replaceFirst(""));
      } else if (!word.isEmpty() && !isNumber(word) && (!value || script)) {
        kept.add(word);
        script = LAUNCHERS.matcher(word).matches();
      }
      before = option && !word.contains("=") ? word : "";
    }
    return kept;
  }

  private static boolean isOption(String word) {
    return word.length() > 1 && word.startsWith("-") && !isNumber(word);
  }

  private static boolean isNumber(String word) {
    return NUMBER.matcher(word).matches();
  }
}
