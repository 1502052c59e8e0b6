package io.remuda.coordinator.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** Reads what a request carries. An unknown field is an error. */
final class Bodies {

  private static final ObjectMapper STRICT =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private Bodies() {}

  /**
   * One JSON object as a record.
   *
   * @throws IllegalArgumentException saying what is wrong, for people
   */
  static <T> T read(byte[] body, Class<T> kind) {
    return as(object(body), kind);
  }

  /**
   * A body that is one JSON object.
   *
   * @throws IllegalArgumentException if it is not
   */
  static JsonNode object(byte[] body) {
    JsonNode root;
    try {
      root = STRICT.readTree(body);
    } catch (IOException wrong) {
      String first = String.valueOf(wrong.getMessage()).lines().findFirst().orElse("");
      throw new IllegalArgumentException("the body is no JSON: " + first, wrong);
    }
    if (root == null || !root.isObject()) {
      throw new IllegalArgumentException("the body must be a JSON object");
    }
    return root;
  }

  /**
   * An object as a record.
   *
   * @throws IllegalArgumentException saying what is wrong, for people
   */
  static <T> T as(JsonNode object, Class<T> kind) {
    try {
      Texts.check(object);
      return STRICT.treeToValue(object, kind);
    } catch (UnrecognizedPropertyException unknown) {
      throw new IllegalArgumentException(
          "unknown field '" + unknown.getPropertyName() + "'", unknown);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(
          wrong.getOriginalMessage().replaceFirst("\\(.*", "").trim(), wrong);
    }
  }
}
