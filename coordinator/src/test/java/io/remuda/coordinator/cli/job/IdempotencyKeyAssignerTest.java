package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IdempotencyKeyAssignerTest {

  private static Object keyOf(Object job) {
    return ((Map<?, ?>) job).get("clientKey");
  }

  @Test
  void a_job_gets_a_key_of_its_own() {
    Map<String, Object> job = Map.of("argv", List.of("true"));
    Object key = keyOf(IdempotencyKeyAssigner.added(job));
    assertNotNull(key);
    assertNotEquals(key, keyOf(IdempotencyKeyAssigner.added(job)));
  }

  @Test
  void each_job_of_a_file_gets_a_key_and_a_key_of_the_user_stays() {
    List<?> jobs =
        (List<?>)
            IdempotencyKeyAssigner.added(
                    Map.of(
                        "jobs",
                        List.of(
                            Map.of("name", "a"),
                            Map.of("name", "b"),
                            Map.of("name", "c", "clientKey", "mine"))))
                .get("jobs");
    assertNotNull(keyOf(jobs.get(0)));
    assertNotEquals(keyOf(jobs.get(0)), keyOf(jobs.get(1)));
    assertEquals("mine", keyOf(jobs.get(2)));
    assertEquals("mine", keyOf(IdempotencyKeyAssigner.added(Map.of("clientKey", "mine"))));
  }
}
