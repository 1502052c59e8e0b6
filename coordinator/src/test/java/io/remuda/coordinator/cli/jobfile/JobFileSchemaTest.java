package io.remuda.coordinator.cli.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.commandline.OwnProcess;
import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.JobField;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The schema that editors check files by says what the code reads. */
class JobFileSchemaTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final SubmittingShellEnvironment SHELL =
      new SubmittingShellEnvironment(Map.of(), "022");
  private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");

  @TempDir private Path folder;

  private static JsonNode schema() throws IOException {
    return JSON.readTree(Files.readString(DOCS.resolve("job-file.schema.json")));
  }

  private static List<String> bySchema(String yaml) throws IOException {
    Object value = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return new SchemaCheck(schema()).faults(JSON.valueToTree(value));
  }

  private List<String> byCode(String yaml) throws IOException {
    try {
      JobFileReader.read(
          Files.writeString(folder.resolve("jobs.yaml"), yaml), new OwnProcess(), SHELL);
      return List.of();
    } catch (BadJobFileException bad) {
      return bad.faults();
    }
  }

  static List<JobField<?>> rows() {
    return FieldTable.JOB.fields();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void a_value_of_another_type_is_refused_by_both(JobField<?> field) throws IOException {
    Map<JobField.Type, List<String>> others =
        Map.of(
            JobField.Type.TEXT, List.of("[a]", "{a: b}", "null"),
            JobField.Type.INTEGER, List.of("[1]", "one", "1.5", "true", "null"),
            JobField.Type.NUMBER, List.of("[1]", "one", "true", "null"),
            JobField.Type.FLAG, List.of("[true]", "yes", "1", "null"),
            JobField.Type.LINES, List.of("a", "1", "{a: b}", "[]", "null"),
            JobField.Type.TEXTS, List.of("a", "1", "{a: b}", "[[a]]", "[null]", "null"),
            JobField.Type.MAP, List.of("a", "1", "[a]", "{a: [b]}", "{a: null}", "null"),
            JobField.Type.GANG, List.of("a", "1", "[a]", "{a: b}", "null", "{roles: {}}"));
    for (String other :
        others.get(field.type() == JobField.Type.ENTRIES ? JobField.Type.LINES : field.type())) {
      String job = "{" + command(field.name()) + field.name() + ": " + other + "}";
      assertFalse(byCode(job).isEmpty(), "the code takes " + job);
      assertFalse(bySchema(job).isEmpty(), "the schema takes " + job);
    }
  }

  private static String command(String field) {
    return field.equals("shell") || field.equals("argv") ? "" : "shell: x, ";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{argv: [sleep, 1.5, true]}",
        "{shell: x, mem: 512, gpuMem: 1.5g, gpuModel: 4090}",
        "{shell: x, mem: 6 GiB, timeLimit: 90s}",
        "{shell: x, gpuMem: auto, type: train}",
        "{shell: x, timeLimit: 1h30m, jobTimeLimit: 2-12:00:00, umask: 077, name: 7}",
        "{shell: x, timeLimit: 01:30:00, signal: USR1@2m30s, mem: 4G, gpuMem: 4gb}",
        "{shell: x, count: 1000000, retries: 1000, priority: -1000000, policy: spread}",
        "{shell: x, cpus: 0, gpus: 0, gang: true, hold: false, labels: {a: 1}, env: {A: ''}}",
        "{shell: x, after: [1, '2:fail'], type: t, clientKey: k, workdir: sub}",
        "{shell: x, grace: 2m, timeLimit: 1h, signal: sigusr1@5m}",
        "{shell: x, grace: 0}",
        "{shell: x, count: 9, maxRunning: 3, jobTimeLimit: 6h}",
        "{shell: x, count: 2, retries: 2, gang: {failure: restart, mixed: true}}",
        "{shell: x, gang: {roles: {Master: {gpus: 1}, Worker: {count: 4, mem: 2g, env: {A: b}}}}}",
        "{shell: x, gang: {together: false, roles: {a: {completions: 9, parallelism: 2}}}}",
        "{shell: x, array: '3,7-20:2', maxFails: 2, first: true}",
        "{shell: x, lines: [a, 1.50], params: {lr: '0.1,0.2', seed: 1..5}}",
        "{shell: x, entries: [{lr: 0.10, layers: [1, 2]}, a, null, true, .inf]}",
        "{jobs: [{shell: x}, {argv: [y]}]}",
      })
  void what_is_good_is_good_for_both(String file) throws IOException {
    assertEquals(List.of(), byCode(file));
    assertEquals(List.of(), bySchema(file));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{argv: [x], shell: y}",
        "{argv: []}",
        "{shell: x, mem: 6GiX}",
        "{shell: x, mem: auto}",
        "{shell: x, gpuMem: automatic}",
        "{shell: x, mem: -1}",
        "{shell: x, gpuMem: lots}",
        "{shell: x, timeLimit: soon}",
        "{shell: x, timeLimit: -5}",
        "{shell: x, timeLimit: 0}",
        "{shell: x, timeLimit: 90}",
        "{shell: x, timeLimit: 90:00}",
        "{shell: x, timeLimit: 1h30}",
        "{shell: x, grace: 5}",
        "{shell: x, timeLimit: 1h, signal: USR1@60}",
        "{shell: x, timeLimit: 0.0h}",
        "{shell: x, gpuMem: 0}",
        "{shell: x, gpuMem: 0GiB}",
        "{shell: x, umask: '999'}",
        "{shell: x, grace: soon}",
        "{shell: x, maxRunning: 0}",
        "{shell: x, jobTimeLimit: 0}",
        "{shell: x, maxFails: 0}",
        "{shell: x, array: 7-3x}",
        "{shell: x, params: {'a b': '1'}}",
        "{shell: x, gang: {failure: never}}",
        "{shell: x, gang: {roles: {}}}",
        "{shell: x, gang: {roles: {Worker: {count: 0}}}}",
        "{shell: x, gang: {roles: {Worker: {parallelism: 0}}}}",
        "{shell: x, gang: {roles: {'a b': {count: 1}}}}",
        "{shell: x, gang: {roles: {Worker: {gpuMem: auto}}}}",
        "{shell: x, gang: {roles: {Worker: {argv: [a], shell: b}}}}",
        "{shell: x, gang: {workers: 2}}",
        "{shell: x, timeLimit: 1h, signal: KILL@5m}",
        "{shell: x, timeLimit: 1h, signal: USR1}",
        "{shell: x, count: 0}",
        "{shell: x, count: 1000001}",
        "{shell: x, retries: 1001}",
        "{shell: x, priority: 1000001}",
        "{shell: x, cpus: -0.5}",
        "{shell: x, gpus: -1}",
        "{shell: x, policy: best}",
        "{shell: x, name: ''}",
        "{shell: x, env: {A=B: c}}",
        "{shell: x, gpumem: 1}",
        "{jobs: []}",
        "{jobs: [{shell: x}], name: y}",
        "{jobs: {shell: x}}",
        "[{shell: x}]",
        "x"
      })
  void what_is_bad_is_bad_for_both(String file) throws IOException {
    assertFalse(byCode(file).isEmpty(), "the code takes " + file);
    assertFalse(bySchema(file).isEmpty(), "the schema takes " + file);
  }

  static Stream<String> examples() throws IOException {
    try (Stream<Path> files = Stream.concat(Files.walk(DOCS), Stream.of(Path.of("../README.md")))) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .flatMap(file -> YAML.matcher(text(file)).results().map(found -> found.group(1)))
          .toList()
          .stream();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException fault) {
      throw new AssertionError(fault);
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void the_examples_of_the_documents_are_good(String example) throws IOException {
    assertEquals(List.of(), byCode(example));
    assertEquals(List.of(), bySchema(example));
  }
}
