package io.remuda.worker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {
  private static TaskId task(long job, int index) {
    return new TaskId(new JobId(job), index);
  }

  @Property(tries = 200)
  void an_attempt_is_read_as_it_was_written(
      @ForAll @LongRange(min = 1) long job,
      @ForAll @IntRange int index,
      @ForAll @IntRange(min = 1) int attempt) {
    AttemptId id = new AttemptId(task(job, index), attempt);
    assertEquals(job + "." + index + "." + attempt, id.toString());
    assertEquals(id, AttemptId.parse(id.toString()));
    assertEquals(id.task(), TaskId.parse(id.task().toString()));
  }

  @Test
  void ids_are_plain_values_in_json() throws Exception {
    JsonMapper json = new JsonMapper();
    assertEquals("7", json.writeValueAsString(new JobId(7)));
    assertEquals("\"7.0\"", json.writeValueAsString(task(7, 0)));
    assertEquals("\"7.0.2\"", json.writeValueAsString(new AttemptId(task(7, 0), 2)));
    assertEquals(new JobId(7), json.readValue("7", JobId.class));
    assertEquals(task(7, 0), json.readValue("\"7.0\"", TaskId.class));
    assertEquals(new AttemptId(task(7, 0), 2), json.readValue("\"7.0.2\"", AttemptId.class));
  }

  @Test
  void ids_sort_by_number_and_not_by_text() {
    List<String> sorted =
        Stream.of("10.0.1", "2.0.10", "2.0.9", "2.11.1", "2.3.1")
            .map(AttemptId::parse)
            .sorted()
            .map(AttemptId::toString)
            .toList();
    assertEquals(List.of("2.0.9", "2.0.10", "2.3.1", "2.11.1", "10.0.1"), sorted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", ".1", "1.", "1.x", "x.1", "1.2.3", "1.-2", "0.1", "-1.0", " 1.0"})
  void a_task_id_of_another_form_is_refused(String text) {
    assertThrows(IllegalArgumentException.class, () -> TaskId.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1.2", "1.2.", "1.2.x", "1.2.0", "1.2.-1", "1.2.3.4", ".1.2"})
  void an_attempt_id_of_another_form_is_refused(String text) {
    assertThrows(IllegalArgumentException.class, () -> AttemptId.parse(text));
  }

  @Test
  void a_refusal_shows_the_value() {
    assertTrue(message(() -> new JobId(0)).contains("got 0"));
    assertTrue(message(() -> task(1, -5)).contains("got -5"));
    assertTrue(message(() -> new AttemptId(task(1, 0), 0)).contains("got 0"));
    assertTrue(message(() -> TaskId.parse("seven")).contains("'seven'"));
  }

  private static String message(Runnable wrong) {
    return assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
  }
}
