package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.protocol.TaskEnd.Kind;
import java.util.EnumSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskEndTest {
  private static TaskEnd end(Kind kind, Integer code, Integer signal) {
    return new TaskEnd(kind, code, signal, "it ended", null, null, null);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "134, true"})
  void a_process_that_ends_badly_by_itself_has_crashed(int code, boolean crash) {
    assertEquals(crash, end(Kind.BY_ITSELF, code, null).isCrash());
  }

  @ParameterizedTest
  @CsvSource({"9, false", "15, false", "11, true", "6, true"})
  void a_signal_that_people_send_is_no_crash_and_one_of_its_own_is(int signal, boolean crash) {
    assertEquals(crash, end(Kind.BY_ITSELF, null, signal).isCrash());
  }

  @Test
  void whatever_others_did_to_it_is_no_crash_of_its_own() {
    assertEquals(
        EnumSet.of(Kind.BY_ITSELF, Kind.CANNOT_START),
        Stream.of(Kind.values())
            .filter(kind -> end(kind, 1, null).isCrash())
            .collect(Collectors.toSet()));
  }

  @Test
  void an_end_has_a_kind_and_a_cause() {
    assertThrows(NullPointerException.class, () -> TaskEnd.because(null, "x"));
    assertThrows(NullPointerException.class, () -> TaskEnd.because(Kind.BY_ITSELF, null));
  }

  @Test
  void an_end_that_an_earlier_build_has_stored_is_read() throws Exception {
    String stored = "{\"kind\":\"LEASE_PASSED\",\"cause\":\"lease expired\",\"exitCode\":null}";
    JsonMapper json =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    assertEquals(Kind.CONTACT_LOST, json.readValue(stored, TaskEnd.class).kind());
  }
}
