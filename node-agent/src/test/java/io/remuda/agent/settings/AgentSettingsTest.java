package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.remuda.agent.attempt.GangPorts;
import io.remuda.agent.container.EngineOptions;
import io.remuda.agent.output.OutputLimit;
import io.remuda.agent.output.TaskRetentionLimit;
import io.remuda.agent.testkit.PlainSettings;
import io.remuda.agent.testkit.TestAgents;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentSettingsTest {
  private static final String PATH = "remuda.agent";

  private static Config defaults() {
    return ConfigFactory.defaultReference().getConfig(PATH);
  }

  private static AgentSettings named(String node) {
    Path path = Path.of("/f");
    return PlainSettings.of(
        node, "r1", path, path, path, AgentSettings.EndsWith.PARENT, TestAgents.timing());
  }

  @Test
  void the_defaults_are_these() {
    assertEquals(
        new AgentSettings.Timing(
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2)),
        AgentSettings.Timing.from(defaults()));
  }

  static Stream<String> keys() {
    return defaults().entrySet().stream().map(entry -> entry.getKey());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void a_changed_key_has_an_effect(String key) {
    Object value = key.startsWith("container.") ? List.of("--network=host") : value(key);
    Config changed = defaults().withValue(key, ConfigValueFactory.fromAnyRef(value));
    assertNotEquals(settings(defaults()), settings(changed), key);
  }

  private static String value(String key) {
    return switch (key) {
      case "output-limit", "ended-size" -> "77MiB";
      case "ended-count" -> "77";
      case "on-overuse" -> "warn";
      case "gpu-ids" -> "uuid";
      case "ask-to-end" -> "all";
      case "shared-memory" -> "keep";
      case "training-callers" -> "any";
      case "gang-ports" -> "77-78";
      case "stranger-memory" -> "77MiB";
      case "mig-slices" -> "as-gpus";
      case "thread-variables", "shell-limits", "port-variables" -> "false";
      default -> "77s";
    };
  }

  private static List<Object> settings(Config agent) {
    return List.of(
        AgentSettings.Timing.from(agent),
        GangPortRange.from(agent),
        EngineOptions.from(agent),
        OutputLimit.from(agent),
        TaskRetentionLimit.from(agent),
        OnOverUse.from(agent),
        GpuIds.from(agent),
        WholeGpuRules.from(agent),
        GangPorts.SingleTasks.from(agent),
        AskToEnd.from(agent),
        TrainingCallers.from(agent),
        AgentSettings.environment(agent, Map.of()),
        AgentSettings.threadVariables(agent),
        AgentSettings.shellLimits(agent));
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1", "pinoak0034-2", "a.b_c", "7", "N"})
  void a_node_has_a_name_that_fits_in_a_path(String name) {
    assertEquals("r1/" + name + "/", named(name).keyPrefix());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".hidden", "-x", "a/b", "a b", "a=b", "../up", "é"})
  void another_name_is_refused_with_its_text(String name) {
    String message = assertThrows(IllegalArgumentException.class, () -> named(name)).getMessage();
    assertTrue(message.contains("'" + name + "'"), message);
  }

  @Test
  void a_name_may_have_63_characters_and_no_more() {
    assertEquals("n".repeat(63), named("n".repeat(63)).node());
    assertThrows(IllegalArgumentException.class, () -> named("n".repeat(64)));
  }
}
