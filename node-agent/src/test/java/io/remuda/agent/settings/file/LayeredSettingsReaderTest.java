package io.remuda.agent.settings.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.settings.GangPortRange;
import io.remuda.agent.settings.OnOverUse;
import io.remuda.agent.settings.file.EffectiveSetting.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayeredSettingsReaderTest {

  @TempDir private Path home;

  private Path file() {
    return home.resolve(LayeredSettingsReader.FILE);
  }

  private LayeredSettingsReader with(String text) throws IOException {
    return with(text, Map.of());
  }

  private LayeredSettingsReader with(String text, Map<String, String> properties)
      throws IOException {
    Files.writeString(file(), text);
    Config given =
        ConfigFactory.parseMap(properties, "system properties").withFallback(ConfigFactory.empty());
    return LayeredSettingsReader.of(file(), given);
  }

  private String refusal(String text) {
    return assertThrows(BadSettingsException.class, () -> with(text)).getMessage();
  }

  private static EffectiveSetting setting(LayeredSettingsReader sources, String key) {
    return sources.all().stream().filter(one -> one.key().equals(key)).findFirst().orElseThrow();
  }

  @Test
  void a_value_of_the_file_counts_in_place_of_the_default() throws IOException {
    LayeredSettingsReader sources = with("# ours\nremuda.agent {\n  grace = 3s\n}\n");
    assertEquals(Duration.ofSeconds(3), sources.over("agent").getDuration("remuda.agent.grace"));
    assertEquals(
        Duration.ofSeconds(3), sources.read("remuda.agent", agent -> agent.getDuration("grace")));
    EffectiveSetting grace = setting(sources, "remuda.agent.grace");
    assertEquals(Source.FILE, grace.source());
    assertEquals(file() + ":3", grace.place());
    assertEquals("3s", grace.value());
    assertEquals("1s", grace.usual());
  }

  @Test
  void a_system_property_wins_over_the_file() throws IOException {
    LayeredSettingsReader sources =
        with("remuda.agent.grace = 3s", Map.of("remuda.agent.grace", "4s", "remuda.dist", "/d"));
    EffectiveSetting grace = setting(sources, "remuda.agent.grace");
    assertEquals(Source.PROPERTY, grace.source());
    assertEquals("4s", grace.value());
    assertEquals("4s", sources.read("remuda.agent", agent -> agent.getString("grace")));
  }

  @Test
  void a_word_may_stand_for_no_limit_where_the_setting_says_so() throws IOException {
    LayeredSettingsReader sources = with("remuda.agent.stranger-memory = any", Map.of());
    assertEquals("any", setting(sources, "remuda.agent.stranger-memory").value());
  }

  @Test
  void without_a_file_each_setting_has_its_default_and_a_meaning() {
    LayeredSettingsReader sources = LayeredSettingsReader.of(file(), ConfigFactory.empty());
    assertFalse(sources.all().isEmpty());
    for (EffectiveSetting one : sources.all()) {
      assertEquals(Source.DEFAULT, one.source(), one.key());
      assertEquals(one.usual(), one.value(), one.key());
      assertTrue(one.meaning().endsWith("."), one.key() + ": " + one.meaning());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "remuda.agent.grase = 3s, remuda.agent.grace",
    "remuda.agent.podman-options = [], remuda.agent.container.podman-options",
    "remuda.agnet.grace = 3s, remuda.agent.grace",
    "agent.grace = 3s, remuda.agent.grace"
  })
  void an_unknown_key_is_refused_with_its_place_and_what_was_meant(String line, String meant) {
    String said = refusal("\n" + line);
    assertTrue(said.startsWith(file() + ":2: there is no setting "), said);
    assertTrue(said.contains("did you mean " + meant + "?"), said);
  }

  @ParameterizedTest
  @CsvSource({
    "grace = soon, such as 500ms",
    "grace = 3, such as 500ms",
    "grace = -3s, such as 500ms",
    "output-limit = 1GiX, such as 64KiB",
    "ended-count = 1.5, write a whole number",
    "thread-variables = perhaps, write true or false",
    "ended-count = -1, write a whole number",
    "on-overuse = stopp, write stop or warn; did you mean stop?",
    "container.podman-options = { a = b }, there is no setting",
    "container = 5, is a group of settings",
    "grace = null, leave the line out"
  })
  void a_value_of_another_form_is_refused_with_its_place_and_the_right_form(
      String line, String todo) {
    String said = refusal("remuda.agent." + line);
    assertTrue(said.startsWith(file() + ":1: "), said);
    assertTrue(said.contains(todo), said);
  }

  @Test
  void what_is_no_hocon_is_refused_with_its_place() {
    String said = refusal("remuda.agent {\n  grace = 3s\n");
    assertTrue(said.startsWith(file() + ":"), said);
  }

  @Test
  void a_value_that_its_reader_refuses_is_placed_too() throws IOException {
    LayeredSettingsReader ports = with("\n\nremuda.agent.gang-ports = \"7-3\"");
    String said =
        assertThrows(
                BadSettingsException.class,
                () -> ports.read("remuda.agent", agent -> GangPortRange.from(agent)))
            .getMessage();
    assertTrue(said.startsWith(file() + ":3: "), said);
    assertTrue(said.contains("7-3"), said);
  }

  @Test
  void a_wrong_system_property_is_refused_as_such() {
    String said =
        assertThrows(
                BadSettingsException.class, () -> with("", Map.of("remuda.agent.grace", "soon")))
            .getMessage();
    assertTrue(said.startsWith("system property: remuda.agent.grace = "), said);
  }

  @Test
  void an_agent_leaves_the_settings_of_the_coordinator_to_it() throws IOException {
    LayeredSettingsReader sources =
        with("remuda.coordinator.tick = 2s\nremuda.agent.on-overuse = warn");
    assertEquals(OnOverUse.WARN, sources.read("remuda.agent", OnOverUse::from));
  }

  @Test
  void a_file_may_use_values_of_its_own_and_of_the_environment() throws IOException {
    LayeredSettingsReader sources =
        with("remuda.agent.grace = 3s\nremuda.agent.turn = ${remuda.agent.grace}");
    assertEquals("3s", setting(sources, "remuda.agent.turn").value());
    String said = refusal("remuda.agent.grace = ${NO_SUCH_VARIABLE_OF_REMUDA}");
    assertTrue(said.contains("NO_SUCH_VARIABLE_OF_REMUDA"), said);
    assertTrue(said.startsWith(file() + ":1: "), said);
  }

  @Test
  void names_are_compared_by_letters() {
    assertEquals("", SimilarNames.didYouMean("elephant", List.of("stop", "warn")));
    assertEquals("; did you mean warn?", SimilarNames.didYouMean("wran", List.of("stop", "warn")));
  }
}
