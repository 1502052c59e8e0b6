package io.remuda.coordinator.rest.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.remuda.coordinator.rest.RestServer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The document that is served describes each answer as the record of it. */
class OpenApiAnswersTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String REFERENCE = "#/components/schemas/";

  /** Answers that are no record: the document itself, and plain texts. */
  private static final Set<String> OTHERS = Set.of("/openapi.json");

  private static JsonNode document() throws IOException {
    try (InputStream file = RestServer.class.getResourceAsStream("/openapi.json")) {
      assertNotNull(file);
      return JsonMapper.builder().build().readTree(file);
    }
  }

  static Stream<Class<?>> answers() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(OpenApiAnswersTest.class.getPackageName())
            .stream()
            .<Class<?>>map(JavaClass::reflect)
            .filter(type -> type.isRecord() && isWritten(type));
  }

  /** Returns whether it is an answer or a part of one, with fields of its own. */
  private static boolean isWritten(Class<?> type) {
    Class<?> outer = type.getEnclosingClass() == null ? type : type.getEnclosingClass();
    return outer.getSimpleName().endsWith("Answer")
        && type != TrainingProgressAnswer.class // its fields are those of a job
        && type != ExpectedStartAnswer.class // so are its, and of an explanation
        && type != TopAnswer.Jobs.class; // an argument
  }

  private static String name(Class<?> type) {
    String outer = type.getEnclosingClass() == null ? "" : name(type.getEnclosingClass());
    return outer + type.getSimpleName().replaceFirst("Answer$", "");
  }

  private static ObjectNode type(String name) {
    return NODES.objectNode().put("type", name);
  }

  private static JsonNode schema(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      return generic.getRawType() == Map.class
          ? type("object").set("additionalProperties", schema(last))
          : type("array").set("items", schema(last));
    }
    Class<?> plain = (Class<?>) type;
    if (plain == String.class) {
      return type("string");
    }
    if (plain == boolean.class || plain == Boolean.class) {
      return type("boolean");
    }
    if (plain == double.class || plain == Double.class) {
      return type("number");
    }
    if (plain.isPrimitive() || Number.class.isAssignableFrom(plain)) {
      return type("integer");
    }
    return plain.isRecord()
        ? NODES.objectNode().put("$ref", REFERENCE + name(plain))
        : type("object");
  }

  private static void addFields(Class<?> record, ObjectNode fields) {
    for (RecordComponent field : record.getRecordComponents()) {
      boolean unwrapped =
          Stream.of(record.getDeclaredFields())
              .anyMatch(
                  own ->
                      own.getName().equals(field.getName())
                          && own.isAnnotationPresent(JsonUnwrapped.class));
      if (unwrapped) {
        addFields(field.getType(), fields);
      } else {
        fields.set(field.getName(), schema(field.getGenericType()));
      }
    }
  }

  /** Returns the described fields in their order, without texts and the mark that null may be. */
  private static ObjectNode described(JsonNode schema, JsonNode schemas) {
    ObjectNode fields = NODES.objectNode();
    for (JsonNode part : schema.path("allOf")) {
      String other = part.path("$ref").asText();
      fields.setAll(
          described(
              other.isEmpty() ? part : schemas.path(other.substring(REFERENCE.length())), schemas));
    }
    schema
        .path("properties")
        .properties()
        .forEach(field -> fields.set(field.getKey(), plain(field.getValue())));
    return fields;
  }

  private static JsonNode plain(JsonNode said) {
    if (said.has("enum")) {
      return type("string");
    }
    if (said.has("oneOf")) { // a part that may be null
      return plain(said.path("oneOf").path(0));
    }
    ObjectNode plain = NODES.objectNode();
    JsonNode type = said.path("type");
    if (!type.isMissingNode()) {
      plain.set("type", type.isArray() ? type.path(0) : type);
    }
    if (said.has("$ref")) {
      plain.set("$ref", said.path("$ref"));
    }
    for (String inner : List.of("items", "additionalProperties")) {
      if (said.has(inner)) {
        plain.set(inner, plain(said.path(inner)));
      }
    }
    return plain;
  }

  @ParameterizedTest
  @MethodSource("answers")
  void the_fields_of_an_answer_are_those_that_the_document_names(Class<?> answer)
      throws IOException {
    ObjectNode written = NODES.objectNode();
    addFields(answer, written);
    JsonNode schemas = document().path("components").path("schemas");
    assertEquals(
        written.toPrettyString(),
        described(schemas.path(name(answer)), schemas).toPrettyString(),
        name(answer));
  }

  @Test
  void each_answer_in_json_is_one_of_them() throws IOException {
    Set<String> known =
        answers()
            .map(answer -> REFERENCE + name(answer))
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> undescribed = new ArrayList<>();
    document()
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        method ->
                            method
                                .getValue()
                                .path("responses")
                                .properties()
                                .forEach(
                                    response -> {
                                      String said = reference(response.getValue());
                                      boolean good = response.getKey().startsWith("2");
                                      if (good
                                          && !OTHERS.contains(path.getKey())
                                          && !said.equals("other")
                                          && !known.contains(said)) {
                                        undescribed.add(method.getKey() + " " + path.getKey());
                                      }
                                    })));
    assertTrue(undescribed.isEmpty(), () -> "without the schema of an answer: " + undescribed);
  }

  private static String reference(JsonNode response) {
    JsonNode content = response.path("content");
    boolean other = !content.isMissingNode() && !content.has("application/json");
    return other ? "other" : content.at("/application~1json/schema/$ref").asText();
  }
}
