package io.remuda.coordinator.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.commandline.SimilarWords;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.sweep.PlaceholderSubstitution;
import io.remuda.worker.job.sweep.SweepAxis;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options by which the tasks of a job differ, which become the fields of the HTTP interface.
 */
public final class SweepOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--array",
      paramLabel = "INDICES",
      description =
          "one task for each index, as 3,7-20:2, which it finds in REMUDA_ARRAY_INDEX and as"
              + " {index} in its arguments; behind a percent sign may stand --max-running, as Slurm"
              + " has it")
  private String array;

  @Option(
      names = "--each-line",
      paramLabel = "FILE",
      description =
          "one task for each line of a file (- for stdin), which it finds in REMUDA_LINE and as"
              + " {line} in its arguments")
  private String eachLine;

  @Option(
      names = "--from-json",
      paramLabel = "FILE",
      description =
          "one task for each value of a JSON file (- for stdin), which is a list or has a value on"
              + " each line, which it finds in REMUDA_ENTRY and as {entry}; a field x of an object in REMUDA_PARAM_X and as {x}")
  private String fromJson;

  @Option(
      names = "--from-csv",
      paramLabel = "FILE",
      description =
          "one task for each row of a table with comma-separated values (- for stdin), whose first"
              + " row has names; column x is found in REMUDA_PARAM_X and as {x}")
  private String fromCsv;

  @Option(
      names = "--param",
      paramLabel = "NAME=VALUES",
      description =
          "one task for each value, as lr=0.1,0.2 or seed=1..5, which it finds in"
              + " REMUDA_PARAM_NAME and as {NAME} in its arguments and in values of --env; several"
              + " are combined with each other and with the options above")
  private List<String> params = new ArrayList<>();

  @Option(
      names = "--max-fails",
      paramLabel = "N",
      description = "cancel the other tasks once N have failed")
  private Integer maxFails;

  @Option(names = "--first", description = "start before your other waiting jobs of equal priority")
  private boolean first;

  /** The fields once they were read: stdin can be read once. */
  private Map<String, Object> fields;

  /**
   * Returns the fields that were given.
   *
   * @throws ParameterException if an option is wrong, or its file cannot be read
   */
  public Map<String, Object> fields() {
    if (fields == null) {
      fields = read();
    }
    return fields;
  }

  private Map<String, Object> read() {
    Map<String, Object> read = new LinkedHashMap<>();
    put(read, "array", array);
    checkFiles();
    put(
        read,
        "lines",
        eachLine == null ? null : file("--each-line", eachLine, SweepFileReader::lines));
    if (fromCsv != null) {
      read.put("entries", file("--from-csv", fromCsv, CsvTable::rows));
    } else if (fromJson != null) {
      read.put("entries", file("--from-json", fromJson, SweepFileReader::entries));
    }
    put(read, "params", params.isEmpty() ? null : params());
    put(read, "maxFails", maxFails);
    put(read, "first", first ? true : null);
    return read;
  }

  private void checkFiles() {
    if (fromCsv != null && fromJson != null) {
      throw bad("--from-csv and --from-json exclude each other: give one of them");
    }
    if ("-".equals(eachLine) && ("-".equals(fromJson) || "-".equals(fromCsv))) {
      throw bad("two options cannot both read stdin: give one of them a file");
    }
  }

  private static void put(Map<String, Object> to, String field, Object value) {
    if (value != null) {
      to.put(field, value);
    }
  }

  /** What is read of a file. */
  private interface FileReading<T> {
    T of(byte[] content) throws SweepFileReader.BadSweepFileException;
  }

  /** Names of what each sweep of a kind has. */
  private static final Set<String> GENERAL =
      Set.of(SweepAxis.Indices.NAME, SweepAxis.Lines.NAME, SweepAxis.Entries.NAME);

  private static final Pattern BRACES = Pattern.compile("\\{([A-Za-z_]\\w*)\\}");

  private <T> T file(String option, String file, FileReading<T> reading) {
    try {
      return reading.of(SweepFileReader.read(file, Caller.of(spec)));
    } catch (SweepFileReader.BadSweepFileException wrong) {
      throw bad(option + " " + file + ": " + wrong.getMessage());
    } catch (IOException fault) {
      throw bad(option + " " + file + " cannot be read: " + SweepFileReader.words(fault));
    }
  }

  private Map<String, String> params() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String param : params) {
      int equals = param.indexOf('=');
      if (equals < 1) {
        throw bad("--param is NAME=VALUES, as lr=0.1,0.2 or seed=1..5, got '" + param + "'");
      }
      String name = param.substring(0, equals);
      if (values.put(name, param.substring(equals + 1)) != null) {
        throw bad("--param " + name + " is given twice: write all its values in one");
      }
    }
    return values;
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Returns texts that nobody has written for this job, so that no name in braces is replaced. */
  public Map<String, String> kept(Map<String, String> inherited) {
    Set<String> names = names();
    if (names.isEmpty()) {
      return inherited;
    }
    Map<String, String> kept = new LinkedHashMap<>(inherited);
    kept.replaceAll((name, text) -> PlaceholderSubstitution.kept(text, names));
    return kept;
  }

  /**
   * Returns what to say of a text in which no name in braces is replaced; empty if it has none.
   *
   * @param what the text is
   * @param text or null
   */
  public Optional<String> kept(String what, String text) {
    if (text == null || text.indexOf('{') < 0) {
      return Optional.empty();
    }
    List<String> kept =
        names().stream().map(name -> "{" + name + "}").filter(text::contains).toList();
    return kept.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the "
                + what
                + " is that of all tasks: "
                + PrintableText.of(String.join(", ", kept))
                + (kept.size() == 1 ? " stays as it is" : " stay as they are"));
  }

  /**
   * Returns what to say of words in braces in a command that are none of the sweep's names; empty
   * if there are none, or if they probably mean something to the program.
   */
  public Optional<String> unknown(List<String> command) {
    Set<String> names = names();
    String text = String.join(" ", command);
    boolean table = names.stream().anyMatch(name -> !GENERAL.contains(name));
    boolean unused = table && names.stream().noneMatch(name -> text.contains("{" + name + "}"));
    List<String> unknown =
        BRACES
            .matcher(text)
            .results()
            .map(found -> found.group(1))
            .filter(word -> !names.contains(word))
            .filter(word -> unused || !SimilarWords.to(word, names).isEmpty())
            .distinct()
            .map(word -> "{" + word + "}")
            .toList();
    return names.isEmpty() || unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            PrintableText.of(String.join(", ", unknown))
                + (unknown.size() == 1 ? " stays as it is" : " stay as they are")
                + ": this sweep has "
                + PrintableText.of(
                    names.stream().map(one -> "{" + one + "}").collect(Collectors.joining(", "))));
  }

  /** Returns whether the tasks differ in what these options say. */
  public boolean isOne() {
    return List.of("array", "lines", "entries", "params").stream().anyMatch(fields()::containsKey);
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    if (fields().containsKey("array")) {
      names.add(SweepAxis.Indices.NAME);
    }
    if (fields().containsKey("lines")) {
      names.add(SweepAxis.Lines.NAME);
    }
    if (fields().get("entries") instanceof List<?> entries) {
      names.add(SweepAxis.Entries.NAME);
      entries.forEach(entry -> ((JsonNode) entry).fieldNames().forEachRemaining(names::add));
    }
    if (fields().get("params") instanceof Map<?, ?> given) {
      given.keySet().forEach(name -> names.add((String) name));
    }
    return names;
  }
}
