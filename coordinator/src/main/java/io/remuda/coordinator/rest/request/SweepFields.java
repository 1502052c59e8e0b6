package io.remuda.coordinator.rest.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.jobfield.SweepRows;
import io.remuda.coordinator.jobfield.TrainingRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.sweep.IndexRanges;
import io.remuda.worker.job.sweep.PlaceholderSubstitution;
import io.remuda.worker.job.sweep.Sweep;
import io.remuda.worker.job.sweep.SweepAxis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The fields of a {@link JobRequest} that say in what its tasks differ and when it gives up. */
final class SweepFields {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

  /** Bytes of the longest text that a program finds in its environment, with room for its name. */
  private static final int MOST_BYTES = 120_000;

  private final FieldValues request;

  SweepFields(FieldValues request) {
    this.request = request;
  }

  /**
   * Returns the terms.
   *
   * @param words program and arguments
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  TaskArrayTerms terms(List<String> words) {
    int maxFails = request.or(SweepRows.MAX_FAILS, 0);
    if (request.has(SweepRows.MAX_FAILS) && maxFails < 1) {
      throw new IllegalArgumentException("maxFails must be 1 or more, got " + maxFails);
    }
    if (maxFails > 0 && request.has(WorkRows.GANG)) {
      throw new IllegalArgumentException(
          "maxFails and gang exclude each other: gang.failure says what a failure means");
    }
    Sweep sweep = sweep();
    if (request.has(SweepRows.ENTRIES)) {
      checkFields(new SweepAxis.Entries(request.get(SweepRows.ENTRIES)), words);
    }
    boolean batch = request.or(WorkRows.ENV, Map.of()).containsKey(SbatchScriptVariables.BATCH);
    boolean first = request.or(SweepRows.FIRST, false);
    if (request.has(SweepRows.FIRST_UNTIL) && !first) {
      throw new IllegalArgumentException(
          "firstUntil requires that the job is put first: give both");
    }
    return new TaskArrayTerms(
        sweep,
        maxFails,
        0,
        first ? 1 : 0,
        batch && sweep != null,
        request.read(SweepRows.FIRST_UNTIL, JobRequest::instant, 0));
  }

  /** Returns in what the tasks differ; null if they are alike. */
  private Sweep sweep() {
    List<SweepAxis> axes = new ArrayList<>();
    if (request.has(SweepRows.ARRAY)) {
      axes.add(new SweepAxis.Indices(ranges()));
    }
    if (request.has(SweepRows.LINES)) {
      axes.add(new SweepAxis.Lines(request.get(SweepRows.LINES)));
    }
    if (request.has(SweepRows.ENTRIES)) {
      axes.add(new SweepAxis.Entries(request.get(SweepRows.ENTRIES)));
    }
    request
        .or(SweepRows.PARAMS, Map.of())
        .forEach((name, values) -> axes.add(parameter(name, values)));
    if (axes.isEmpty()) {
      return null;
    }
    checkOthers();
    check(axes);
    return Sweep.of(axes);
  }

  private void checkOthers() {
    String what = "array, lines, entries and params";
    long lists =
        Stream.of(
                request.get(SweepRows.ARRAY),
                request.get(SweepRows.LINES),
                request.get(SweepRows.ENTRIES))
            .filter(given -> given != null)
            .count();
    if (lists > 1) {
      throw new IllegalArgumentException(
          "array, lines and entries exclude each other: give one of them, and params for the rest");
    }
    if (request.has(WorkRows.COUNT)) {
      throw new IllegalArgumentException(
          what
              + " say how many tasks there are: leave count "
              + request.get(WorkRows.COUNT)
              + " out");
    }
    if (request.has(WorkRows.GANG)) {
      throw new IllegalArgumentException(
          what + " and gang exclude each other: the tasks of a sweep have nothing in common");
    }
    if (request.has(TrainingRows.EPOCHS)) {
      throw new IllegalArgumentException(
          what + " and epochs exclude each other: each training is a job of its own");
    }
  }

  /** Returns the indices, without the number behind {@code %} that Slurm's users write. */
  private IndexRanges ranges() {
    try {
      return IndexRanges.parse(request.get(SweepRows.ARRAY).split("%", -1)[0]);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("array: " + wrong.getMessage(), wrong);
    }
  }

  /** Returns how many tasks run at once at most; 0 for all. */
  int mostRunning() {
    int stated = new GangFields(request).mostRunning();
    String[] parts =
        !request.has(SweepRows.ARRAY) ? new String[1] : request.get(SweepRows.ARRAY).split("%", -1);
    if (parts.length == 1) {
      return stated;
    }
    if (parts.length > 2 || !parts[1].matches("[1-9]\\d{0,8}")) {
      throw new IllegalArgumentException(
          "array: behind % stands how many tasks run at once, as 1-100%4, got '"
              + request.get(SweepRows.ARRAY)
              + "'");
    }
    if (stated != 0) {
      throw new IllegalArgumentException(
          "array with %" + parts[1] + " is maxRunning " + parts[1] + ", got also " + stated);
    }
    return Integer.parseInt(parts[1]);
  }

  private static SweepAxis parameter(String name, String values) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "params: a name has letters, digits, '_', '-' and '.', got "
              + ShortenedValues.quoted(name));
    }
    try {
      return new SweepAxis.Parameter(name, ParameterValues.parse(values));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("params." + name + ": " + wrong.getMessage(), wrong);
    }
  }

  /** Checks that no two values of a task have one name, and that each fits into a variable. */
  private static void check(List<SweepAxis> axes) {
    Map<String, String> names = new HashMap<>();
    for (SweepAxis axis : axes) {
      if (!(axis instanceof SweepAxis.Entries)) {
        check(axis, 0, names); // the others have the same names
      }
    }
    for (SweepAxis axis : axes) {
      boolean objects = axis instanceof SweepAxis.Entries;
      int values = axis instanceof SweepAxis.Indices ? 1 : axis.size();
      for (int value = objects ? 0 : 1; value < values; value++) {
        check(axis, value, objects ? new HashMap<>(names) : new HashMap<>());
      }
    }
  }

  /** Checks that each entry has the fields that are used: the others' would stay in braces. */
  private void checkFields(SweepAxis.Entries entries, List<String> words) {
    List<String> texts = new ArrayList<>(words);
    texts.addAll(request.or(WorkRows.ENV, Map.of()).values());
    texts.removeIf(text -> text.indexOf('{') < 0);
    Map<String, Integer> counts = new TreeMap<>(); // of entries with a field that is used
    Map<String, Boolean> used = new HashMap<>();
    for (int entry = 0; entry < entries.size() && !texts.isEmpty(); entry++) {
      for (String name : names(entries, entry)) {
        if (used.computeIfAbsent(name, any -> uses(texts, name))) {
          counts.merge(name, 1, Integer::sum);
        }
      }
    }
    counts.forEach(
        (name, count) -> {
          if (count < entries.size()) {
            int without = 0;
            while (names(entries, without).contains(name)) {
              without++;
            }
            throw new IllegalArgumentException(
                "entries: entry %d has no field '%s', which the job uses as {%s}: add it"
                    .formatted(without + 1, name, name));
          }
        });
  }

  private static boolean uses(List<String> texts, String name) {
    return texts.stream().anyMatch(text -> PlaceholderSubstitution.uses(text, name));
  }

  private static Set<String> names(SweepAxis.Entries entries, int entry) {
    Map<String, String> values = new HashMap<>();
    entries.add(entry, values, new HashMap<>());
    return values.keySet();
  }

  private static void check(SweepAxis axis, int value, Map<String, String> names) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, String> variables = new LinkedHashMap<>();
    axis.add(value, values, variables);
    for (String name : values.keySet()) {
      String other = names.put(SweepAxis.variable(name), name);
      if (other != null) {
        throw new IllegalArgumentException(
            "a task would have two values '%s' and '%s', both %s: rename one"
                .formatted(other, name, SweepAxis.variable(name)));
      }
    }
    variables.forEach(
        (name, text) -> {
          if (text.length() > MOST_BYTES / 4 && text.getBytes(UTF_8).length > MOST_BYTES) {
            throw new IllegalArgumentException(
                name + " has at most " + MOST_BYTES + " bytes, as every variable of a program");
          }
        });
  }
}
