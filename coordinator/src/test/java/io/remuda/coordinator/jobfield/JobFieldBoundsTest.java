package io.remuda.coordinator.jobfield;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.rest.request.JobRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The bounds and words that a row says are those that a request keeps. */
class JobFieldBoundsTest {

  static List<JobField<?>> numbers() {
    return FieldTable.JOB.fields().stream()
        .filter(
            field -> field.type() == JobField.Type.INTEGER || field.type() == JobField.Type.NUMBER)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void a_number_is_taken_within_its_bounds_and_refused_outside(JobField<?> field) {
    FieldDoc doc = field.doc();
    boolean above = doc.least() == FieldDoc.ABOVE_ZERO;
    assertEquals(Optional.empty(), refusal(field, above ? 1 : doc.least()));
    assertTrue(refusal(field, above ? 0 : doc.least() - step(doc)).isPresent());
    if (doc.most() != Integer.MAX_VALUE) {
      assertEquals(Optional.empty(), refusal(field, doc.most()));
      assertTrue(refusal(field, doc.most() + step(doc)).isPresent());
    }
  }

  private static double step(FieldDoc doc) {
    return doc.least() == Math.rint(doc.least()) ? 1 : 0.001;
  }

  private static Optional<String> refusal(JobField<?> field, double value) {
    Map<String, Object> job = new LinkedHashMap<>(field.beside());
    job.put("argv", List.of("x"));
    if (field == NeedsRows.SHARE_IF) {
      job.put("gpuMem", "auto");
    }
    if (field.type() == JobField.Type.INTEGER) {
      job.put(field.name(), (int) value);
    } else {
      job.put(field.name(), value);
    }
    try {
      JobRequest.of(job).toNewJob("ann", List.of());
      return Optional.empty();
    } catch (IllegalArgumentException refused) {
      return Optional.of(refused.getMessage());
    }
  }

  static List<JobField<?>> words() {
    return FieldTable.JOB.fields().stream()
        .filter(field -> field.type() == JobField.Type.TEXT && !field.doc().words().isEmpty())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("words")
  void each_word_of_a_field_is_taken_and_no_other(JobField<?> field) {
    for (String word : field.doc().words()) {
      JobRequest.of(with(field, word)).toNewJob("ann", List.of());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> JobRequest.of(with(field, "other")).toNewJob("ann", List.of()));
  }

  private static Map<String, Object> with(JobField<?> field, String word) {
    Map<String, Object> job = new LinkedHashMap<>(field.beside());
    job.put("argv", List.of("x"));
    job.put("workdir", "/");
    job.put(field.name(), word);
    return job;
  }

  @ParameterizedTest
  @CsvSource({"cpus, -c --cpus", "afterOneOf, --after-one-of", "output, -o --output"})
  void an_option_is_read_from_its_synopsis(String field, String names) {
    assertEquals(
        List.of(names.split(" ")),
        FieldTable.JOB.find(field).orElseThrow().options().get(0).names());
  }
}
