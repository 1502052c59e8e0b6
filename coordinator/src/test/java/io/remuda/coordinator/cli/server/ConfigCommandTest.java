package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.agent.settings.file.BadSettingsException;
import io.remuda.agent.settings.file.EffectiveSetting;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigCommandTest {

  private static final Path DOCS = Path.of("..", "docs", "configuration.md");

  @TempDir private Path user;
  private Path file;

  @BeforeEach
  void a_home_with_settings() throws IOException {
    System.setProperty(RemudaPaths.HOME_PROPERTY, user.toString());
    file =
        Files.createDirectories(RemudaPaths.current().state()).resolve(LayeredSettingsReader.FILE);
    Files.writeString(file, "remuda.coordinator.rest.gpu-mem = auto\n");
  }

  @AfterEach
  void the_home_is_forgotten() {
    System.clearProperty(RemudaPaths.HOME_PROPERTY);
  }

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    new CommandLine(new ConfigCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (fault, line, parsed) -> {
              throw fault;
            })
        .execute(arguments);
    return out.toString() + err;
  }

  @Test
  void one_setting_is_shown_with_its_value_default_place_and_meaning() {
    List<String> lines = run("gpu-mem").lines().toList();
    assertEquals("remuda.coordinator.rest.gpu-mem = auto", lines.get(0));
    assertEquals("from     " + file + ":1", lines.get(1));
    assertEquals("default  whole", lines.get(2));
    assertTrue(lines.get(3).contains("whole devices"), lines.get(3));
  }

  @Test
  void all_settings_are_a_table() {
    String all = run();
    assertTrue(
        all.lines().anyMatch(line -> line.matches("remuda.agent.grace +1s +1s +default")), all);
    assertTrue(all.contains(file + ":1"), all);
  }

  @Test
  void json_has_the_place_apart() throws IOException {
    JsonNode one =
        new JsonMapper().readTree(run("remuda.coordinator.rest.gpu-mem", "--json")).get(0);
    assertEquals("auto", one.path("value").asText());
    assertEquals("file", one.path("source").asText());
    assertEquals(file.toString(), one.path("file").asText());
    assertEquals(1, one.path("line").asInt());
  }

  @Test
  void a_name_that_no_setting_has_is_answered_with_a_similar_one() {
    assertTrue(run("gpu-men").contains("did you mean remuda.coordinator.rest.gpu-mem?"));
  }

  @Test
  void check_says_that_all_is_good_or_what_is_not() throws IOException {
    assertTrue(run("--check").startsWith(file + " is good; 1 of "), run("--check"));
    Files.writeString(file, "remuda.coordinator.end-deadline = 10ms\n");
    String said =
        assertThrows(BadSettingsException.class, () -> SettingsCheck.of(file.getParent()))
            .getMessage();
    assertTrue(said.startsWith(file + ":1: "), said);
    assertTrue(said.contains("must be longer than grace"), said);
  }

  @Test
  void the_document_has_each_setting_with_its_default_and_no_other() throws IOException {
    String document = Files.readString(DOCS);
    List<String> missing =
        LayeredSettingsReader.withoutFile().all().stream()
            .map(ConfigCommandTest::row)
            .filter(row -> !document.contains(row))
            .toList();
    assertEquals(
        List.of(), missing, () -> "docs/configuration.md lacks\n" + String.join("\n", missing));
    List<String> known =
        LayeredSettingsReader.withoutFile().all().stream().map(EffectiveSetting::key).toList();
    List<String> documented =
        document
            .lines()
            .filter(line -> line.startsWith("| `remuda."))
            .map(line -> line.substring(3, line.indexOf('`', 3)))
            .toList();
    assertEquals(known, documented);
    List<String> rows =
        LayeredSettingsReader.withoutFile().all().stream().map(ConfigCommandTest::row).toList();
    assertEquals(
        List.of(),
        document
            .lines()
            .filter(line -> line.startsWith("| `remuda.") && !rows.contains(line))
            .toList(),
        "rows of docs/configuration.md that say something else");
  }

  private static String row(EffectiveSetting setting) {
    String meaning = setting.meaning().replace("|", "\\|");
    return "| `" + setting.key() + "` | `" + setting.usual() + "` | " + meaning + " |";
  }
}
