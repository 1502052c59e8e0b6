package io.remuda.coordinator.cli.aichor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.cli.jobfile.SchemaCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The schema that {@code remuda schema aichor} prints says what the code reads. */
class ManifestSchemaTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static List<String> faults(String yaml) throws IOException {
    JsonNode schema = JSON.readTree(SchemaCommand.aichor());
    Object value = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return new SchemaCheck(schema).faults(JSON.valueToTree(value));
  }

  static Stream<Path> examples() throws IOException {
    return ManifestSubmissionTest.examples();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void the_examples_are_good(Path file) throws IOException {
    assertEquals(List.of(), faults(Files.readString(file)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "operator: kuberay",
        "command: ''",
        "types: {}",
        "types: {Worker: {count: 0, resources: {ramRatio: 1}}}",
        "types: {Worker: {resources: {}}}",
        "types: {Worker: {resources: {ramRatio: 1, memory: 2GB}}}",
        "types: {Worker: {resources: {ramRatio: 1, gpus: 2}}}",
        "types: {9: {resources: {ramRatio: 1}}}",
        "debug: {ssh: true}",
      })
  void what_the_code_refuses_the_schema_refuses(String field) throws IOException {
    String name = field.substring(0, field.indexOf(':'));
    StringBuilder spec = new StringBuilder("kind: AIchorManifest\nbuilder: {}\nspec:\n");
    Stream.of(
            "operator: tf",
            "image: demo",
            "command: x",
            "types: {Worker: {resources: {ramRatio: 1}}}")
        .filter(one -> !one.startsWith(name + ":"))
        .forEach(one -> spec.append("  ").append(one).append('\n'));
    assertFalse(faults(spec + "  " + field + "\n").isEmpty(), field);
  }
}
