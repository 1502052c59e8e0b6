package io.remuda.coordinator.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.commandline.SimilarWords;
import io.remuda.coordinator.cli.option.FieldOptions;
import io.remuda.coordinator.jobfield.SweepRows;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.sweep.PlaceholderSubstitution;
import io.remuda.worker.job.sweep.SweepAxis;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ParameterException;

/** What the options by which the tasks of a job differ become in the HTTP interface. */
public final class SweepOptions {

  private final FieldOptions given;

  /** The fields once they were read: stdin can be read once. */
  private Map<String, Object> fields;

  public SweepOptions(FieldOptions given) {
    this.given = given;
  }

  /**
   * Returns the fields that options make of what was given: of files, and of parameters.
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
    String eachLine = given.get("--each-line");
    String fromJson = given.get("--from-json");
    String fromCsv = given.get("--from-csv");
    if (fromCsv != null && fromJson != null) {
      throw bad("--from-csv and --from-json exclude each other: give one of them");
    }
    if ("-".equals(eachLine) && ("-".equals(fromJson) || "-".equals(fromCsv))) {
      throw bad("two options cannot both read stdin: give one of them a file");
    }
    if (eachLine != null) {
      read.put("lines", file("--each-line", eachLine, SweepFileReader::lines));
    }
    if (fromCsv != null) {
      read.put("entries", file("--from-csv", fromCsv, CsvTable::rows));
    } else if (fromJson != null) {
      read.put("entries", file("--from-json", fromJson, SweepFileReader::entries));
    }
    if (given.get("--param") != null) {
      read.put("params", params(given.get("--param")));
    }
    return read;
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
      return reading.of(SweepFileReader.read(file, Caller.of(given.command())));
    } catch (SweepFileReader.BadSweepFileException wrong) {
      throw bad(option + " " + file + ": " + wrong.getMessage());
    } catch (IOException fault) {
      throw bad(option + " " + file + " cannot be read: " + SweepFileReader.words(fault));
    }
  }

  private Map<String, String> params(List<String> params) {
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
    return new ParameterException(given.command().commandLine(), message);
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
    return given.get(SweepRows.ARRAY) != null || !fields().isEmpty();
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    if (given.get(SweepRows.ARRAY) != null) {
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
