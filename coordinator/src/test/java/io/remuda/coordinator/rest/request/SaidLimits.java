package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.jobfield.FieldLimit;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The limits that a schema says, beside those of the code. */
final class SaidLimits {

  private SaidLimits() {}

  /** Fails unless each field of a request that has a limit is described with it. */
  static void compare(Class<?> request, JsonNode properties) {
    Set<String> limited = new TreeSet<>();
    for (RecordComponent field : request.getRecordComponents()) {
      if (List.of(String.class, List.class, Map.class).contains(field.getType())) {
        limited.add(field.getName());
        compare(
            request.getSimpleName() + "." + field.getName(),
            RequestLimits.of(request, field.getName()),
            properties.path(field.getName()));
      }
    }
    assertEquals(
        new TreeSet<>(RequestLimits.of(request).keySet()), limited, request.getSimpleName());
  }

  private static void compare(String what, FieldLimit limit, JsonNode said) {
    if (limit.name() > 0) {
      assertEquals(limit.items(), said.path("maxProperties").asInt(), what);
      assertEquals(limit.name(), said.path("propertyNames").path("maxLength").asInt(), what);
      assertEquals(limit.text(), said.path("additionalProperties").path("maxLength").asInt(), what);
    } else if (limit.items() > 1) {
      assertEquals(limit.items(), said.path("maxItems").asInt(), what);
      assertEquals(limit.text(), said.path("items").path("maxLength").asInt(), what);
    } else if (!said.has("enum")) {
      assertEquals(limit.text(), said.path("maxLength").asInt(), what);
    }
  }
}
