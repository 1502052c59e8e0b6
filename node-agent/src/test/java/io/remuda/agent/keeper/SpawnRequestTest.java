package io.remuda.agent.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.agent.keeper.task.Requests;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpawnRequestTest {
  private static final Requests REQUESTS = Requests.in(Path.of("/tmp"));

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a=b", "ä", "a\n"})
  void a_key_that_could_not_stand_in_a_file_is_refused(String key) {
    assertThrows(IllegalArgumentException.class, () -> REQUESTS.run(key, "true"));
  }

  @Test
  void an_argument_with_nul_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> REQUESTS.run("k", "true", "a\0b"));
  }

  @Test
  void a_request_without_a_program_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> REQUESTS.run("k"));
  }

  @Test
  void relative_paths_and_negative_times_are_refused_by_name() {
    Path there = Path.of("/tmp");
    Exception relative =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new SpawnRequest(
                    "k",
                    List.of("x"),
                    Map.of(),
                    Path.of("a"),
                    there,
                    there,
                    there,
                    List.of(),
                    0,
                    0));
    assertEquals("workingFolder: not absolute: a", relative.getMessage());
    Exception negative =
        assertThrows(IllegalArgumentException.class, () -> REQUESTS.leasedFor(-1).run("k", "true"));
    assertEquals("contactMillis: negative: -1", negative.getMessage());
  }
}
