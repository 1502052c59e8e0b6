package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.worker.job.sweep.CompactTextList;
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
      if (List.of(String.class, List.class, CompactTextList.class, Map.class)
          .contains(field.getType())) {
        limited.add(field.getName());
        compare(
            field, RequestLimits.of(request, field.getName()), properties.path(field.getName()));
      }
    }
    assertEquals(
        new TreeSet<>(RequestLimits.of(request).keySet()), limited, request.getSimpleName());
  }

  private static void compare(
      RecordComponent field, RequestLimits.FieldLimit limit, JsonNode said) {
    String what = field.getDeclaringRecord().getSimpleName() + "." + field.getName();
    if (field.getType() == List.class || field.getType() == CompactTextList.class) {
      assertEquals(limit.items(), said.path("maxItems").asInt(), what);
      assertEquals(limit.text(), said.path("items").path("maxLength").asInt(), what);
    } else if (field.getType() == Map.class) {
      assertEquals(limit.items(), said.path("maxProperties").asInt(), what);
      assertEquals(limit.name(), said.path("propertyNames").path("maxLength").asInt(), what);
      assertEquals(limit.text(), said.path("additionalProperties").path("maxLength").asInt(), what);
    } else if (!said.has("enum")) {
      assertEquals(limit.text(), said.path("maxLength").asInt(), what);
    }
  }
}
