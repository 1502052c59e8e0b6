package io.remuda.worker.job.stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a command's standard streams come from and go to. Paths are absolute or relative to the
 * working folder, on the node that runs the task; a {@code %} in one stands for a property of the
 * task: {@value #LETTERS} for job, task, node, index in its array, and name, {@code %%} for itself.
 *
 * @param input path of the file that is read as stdin, or null
 * @param inputData bytes that are read as stdin, in base64, or null
 * @param inputStreamed whether the submitter sends stdin to the first task while it runs
 * @param output path of the file for stdout, and for stderr unless {@code error} is given; null for
 *     the task's own files
 * @param error path of the file for stderr, or null
 * @param append whether files are appended to, and not emptied when a task starts
 * @param terminal size of the terminal that the first task has as all three streams; null for none
 */
public record StandardStreamTerms(
    @JsonInclude(JsonInclude.Include.NON_NULL) String input,
    @JsonInclude(JsonInclude.Include.NON_NULL) String inputData,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean inputStreamed,
    @JsonInclude(JsonInclude.Include.NON_NULL) String output,
    @JsonInclude(JsonInclude.Include.NON_NULL) String error,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean append,
    @JsonInclude(JsonInclude.Include.NON_NULL) Size terminal) {

  /** Letters that may follow a percent sign in a path. */
  public static final String LETTERS = "%j %t %n %a %x";

  /** Maximum number of bytes that are stored as stdin. */
  public static final int MOST_INPUT = 256 << 10;

  /** A percent sign; the group is empty if what follows has no meaning. */
  private static final Pattern SIGN = Pattern.compile("%([%nx]|(?:[1-9]|10)?[jta])?");

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
      throw new IllegalArgumentException("openMode wants output or error");
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
                + " (job, task, node, array index, name), and %% for a percent sign; a width of 1"
                + " to 10 is for numbers, as %4j, %2t and %3a");
      }
    }
  }

  /** Returns whether a path has the same value for all tasks of a job on a node. */
  public static boolean isOfAllTasks(String path) {
    return !path.replace("%%", "").matches("(?s).*%\\d*[ta].*");
  }

  /** Returns the number of characters of its texts. */
  public long size() {
    return length(input) + length(inputData) + length(output) + length(error);
  }

  private static long length(String text) {
    return text == null ? 0 : text.length();
  }
}
