package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.lifecycle.TaskState;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The document that is served says what the code does. */
class OpenApiTest {
  private static JsonNode document() throws IOException {
    try (InputStream file = RestServer.class.getResourceAsStream("/openapi.json")) {
      assertNotNull(file);
      return JsonMapper.builder().build().readTree(file);
    }
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @ParameterizedTest
  @ValueSource(classes = {JobRequest.class, LeaseRequest.class})
  void the_fields_of_a_request_are_those_that_are_read(Class<?> request) throws IOException {
    Set<String> read =
        Stream.of(request.getRecordComponents())
            .map(RecordComponent::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    JsonNode schemas = document().path("components").path("schemas");
    assertEquals(read, names(schemas.path(request.getSimpleName()).path("properties")));
  }

  @Test
  void the_states_of_a_job_are_those_of_the_lifecycle() throws IOException {
    Set<String> said = new TreeSet<>();
    document()
        .path("components")
        .path("schemas")
        .path("Job")
        .path("properties")
        .path("state")
        .path("enum")
        .forEach(state -> said.add(state.asText()));
    assertEquals(
        Stream.of(TaskState.values()).map(TaskState::label).collect(Collectors.toSet()), said);
  }
}
