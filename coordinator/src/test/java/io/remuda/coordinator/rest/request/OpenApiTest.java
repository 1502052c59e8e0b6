package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.RestServer;
import io.remuda.coordinator.route.ApiRoute;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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

  @Test
  void the_paths_are_those_of_the_table() throws IOException {
    Set<String> described = new TreeSet<>();
    document()
        .path("paths")
        .fields()
        .forEachRemaining(
            path ->
                names(path.getValue()).forEach(one -> described.add(one + " " + path.getKey())));
    assertEquals(
        Stream.of(ApiRoute.values())
            .filter(route -> route.right().token() != ApiRoute.Right.Token.METRICS) // no prefix
            .map(route -> route.method().toLowerCase(Locale.ROOT) + " " + route.path())
            .collect(Collectors.toCollection(TreeSet::new)),
        described);
  }

  @Test
  void the_fields_of_a_lease_are_those_that_are_read() throws IOException {
    Set<String> ofLease =
        Stream.of(LeaseRequest.class.getRecordComponents())
            .map(RecordComponent::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(ofLease, names(document().at("/components/schemas/LeaseRequest/properties")));
  }

  private static JsonNode body(String path) throws IOException {
    return document()
        .path("paths")
        .path(path)
        .at("/post/requestBody/content/application~1json/schema/properties");
  }

  private static JsonNode schema(String name) throws IOException {
    return document().path("components").path("schemas").path(name).path("properties");
  }

  @Test
  void the_limits_of_texts_and_lists_are_those_that_are_kept() throws IOException {
    SaidLimits.compare(LeaseRequest.class, schema("LeaseRequest"));
    SaidLimits.compare(
        LeaseRequest.Process.class, schema("LeaseRequest").path("process").path("properties"));
    SaidLimits.compare(ChannelRequest.class, body("/jobs/{id}/channel"));
    SaidLimits.compare(ReleaseLeaseRequest.class, body("/leases/{id}/release"));
    SaidLimits.compare(ForgetProfileRequest.class, body("/profiles/forget"));
    SaidLimits.compare(AddUserRequest.class, body("/users"));
    SaidLimits.compare(UserLimitRequest.class, body("/users/{name}/limits"));
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
