package io.remuda.worker.job.stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a command's standard streams come from and go to. Paths are absolute or relative to the
 * working folder, on the node that runs the task; a {@code %} in one stands for a property of the
 * task: {@value #LETTERS} for job, number of its own, task, node, index in its array, and name,
 * {@code %%} for itself.
 *
 * @param input path of the file that is read as stdin, or null
 * @param inputData bytes that are read as stdin, in base64, or null
 * @param inputStreamed whether the submitter sends stdin to the first task while it runs
 * @param output path of the file for stdout, and for stderr unless {@code error} is given; null for
 *     the task's own files
 * @param error path of the file for stderr, or null
 * @param append whether files are appended to, and not emptied when a task starts
 * @param terminal size of the terminal that the first task has as all three streams; null for none
 * @param outputOptional whether a task runs, with its output in its own files, where {@code output}
 *     cannot be written or is in a folder that is not there; nobody has chosen that file
 */
public record StandardStreamTerms(
    @JsonInclude(JsonInclude.Include.NON_NULL) String input,
    @JsonInclude(JsonInclude.Include.NON_NULL) String inputData,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean inputStreamed,
    @JsonInclude(JsonInclude.Include.NON_NULL) String output,
    @JsonInclude(JsonInclude.Include.NON_NULL) String error,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean append,
    @JsonInclude(JsonInclude.Include.NON_NULL) Size terminal,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean outputOptional) {

  /** Letters that may follow a percent sign in a path. */
  public static final String LETTERS = "%j %J %t %n %a %x";

  /** Maximum number of bytes that are stored as stdin. */
  public static final int MOST_INPUT = 256 << 10;

  /** A percent sign; the group is empty if what follows has no meaning. */
  private static final Pattern SIGN = Pattern.compile("%([%nx]|(?:[1-9]|10)?[jJta])?");

  private static final int MOST_CELLS = 10_000;

  /** Rows and columns of a terminal, 1 to 10,000 each. */
  public record Size(int rows, int columns) {
    public Size {
      check("rows", rows);
      check("columns", columns);
    }

    private static void check(String name, int value) {
      if (value < 1 || value > MOST_CELLS) {
        throw new IllegalArgumentException(name + " must be 1 to " + MOST_CELLS + ", got " + value);
      }
    }
  }

  /** Creates terms whose output goes to the stated file or nowhere. */
  public StandardStreamTerms(
      String input,
      String inputData,
      boolean inputStreamed,
      String output,
      String error,
      boolean append,
      Size terminal) {
    this(input, inputData, inputStreamed, output, error, append, terminal, false);
  }

  public StandardStreamTerms {
    checkPath("stdin", input);
    checkPath("output", output);
    checkPath("error", error);
    int inputs = (input == null ? 0 : 1) + (inputData == null ? 0 : 1) + (inputStreamed ? 1 : 0);
    if (inputs > 1) {
      throw new IllegalArgumentException(
          "stdin, stdinData and stdinStream exclude each other: give one of them");
    }
    if (terminal != null && (inputs > 0 || output != null || error != null)) {
      throw new IllegalArgumentException(
          "a terminal is all three streams: it excludes stdin, output and error");
    }
    if (append && output == null && error == null) {
      throw new IllegalArgumentException("openMode requires output or error");
    }
  }

  private static void checkPath(String name, String path) {
    if (path == null) {
      return;
    }
    if (path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(name + " holds a NUL character");
    }
    if (path.isEmpty()) {
      throw new IllegalArgumentException(name + " must be a path, got ''");
    }
    Matcher sign = SIGN.matcher(path);
    while (sign.find()) {
      if (sign.group(1) == null) {
        throw new IllegalArgumentException(
            name
                + " has '"
                + path.substring(sign.start(), Math.min(path.length(), sign.start() + 2))
                + "': there are "
                + LETTERS
                + " (job, the task's own number, task, node, array index, name), and %% for a"
                + " percent sign; a width of 1 to 10 is for numbers, as %4j, %2t and %3a");
      }
    }
  }

  /** Returns a copy with other paths; those that are null are left as they are. */
  public StandardStreamTerms with(UnaryOperator<String> path) {
    return new StandardStreamTerms(
        changed(input, path),
        inputData,
        inputStreamed,
        changed(output, path),
        changed(error, path),
        append,
        terminal,
        outputOptional);
  }

  private static String changed(String path, UnaryOperator<String> change) {
    return path == null ? null : change.apply(path);
  }

  /** Returns a copy without a file that nobody has chosen; null if nothing is left. */
  public StandardStreamTerms withoutOptional() {
    if (!outputOptional) {
      return this;
    }
    boolean nothing = input == null && inputData == null && !inputStreamed && error == null;
    return nothing
        ? null
        : new StandardStreamTerms(
            input, inputData, inputStreamed, null, error, append && error != null, terminal);
  }

  /** Returns whether a path has the same value for all tasks of a job on a node. */
  public static boolean isOfAllTasks(String path) {
    return !path.replace("%%", "").matches("(?s).*%\\d*[taJ].*");
  }

  /** Returns the number of characters of its texts. */
  public long size() {
    return length(input) + length(inputData) + length(output) + length(error);
  }

  private static long length(String text) {
    return text == null ? 0 : text.length();
  }
}
