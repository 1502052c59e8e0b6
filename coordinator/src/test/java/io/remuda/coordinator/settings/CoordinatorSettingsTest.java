package io.remuda.coordinator.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.store.Retention;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CoordinatorSettingsTest {
  private static final String PATH = "remuda.coordinator";

  private static Config defaults() {
    return ConfigFactory.defaultReference().getConfig(PATH);
  }

  @Test
  void the_defaults_are_these() {
    assertEquals(
        new CoordinatorSettings(
            Duration.ofSeconds(7),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            200,
            Duration.ofSeconds(2),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofMillis(2200),
            new RetryPolicy(
                20, 3, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofSeconds(11)),
            new SchedulingSettings(
                Duration.ofMinutes(1),
                Duration.ofHours(24),
                Duration.ofMinutes(5),
                Duration.ofMillis(200)),
            new Retention(Duration.ofDays(30), 100_000),
            1L << 30,
            new MetricsSettings(false, 500),
            LiveJobLimits.of(40_000_000, 20_000_000, Runtime.getRuntime().maxMemory(), 0.5, 0.375),
            new RestSettings(
                512,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                4 << 10,
                20 << 20,
                64 << 20,
                10_000,
                100,
                false),
            NoticeSettings.USUAL),
        CoordinatorSettings.from(defaults()));
  }

  static Stream<String> keys() {
    return defaults().entrySet().stream().map(entry -> entry.getKey());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void a_changed_key_has_an_effect(String key) {
    Object other =
        key.equals("rest.gpu-mem")
            ? "auto"
            : key.startsWith("limits.memory")
                ? 0.25
                : key.startsWith("retry.max-i")
                        || key.startsWith("retry.max-c")
                        || key.equals("retry.avoid-after")
                        || key.equals("retry.gpu-rest-after")
                        || key.equals("retention.jobs")
                        || key.equals("history.size")
                        || key.equals("metrics.jobs")
                        || key.equals("sharing.tests.gpus")
                        || key.equals("sharing.tests.running")
                        || key.equals("handshakes-per-second")
                        || (key.startsWith("rest.") && !key.endsWith("-deadline"))
                        || key.startsWith("limits.")
                    ? 7
                    : "77s";
    if (List.of("contact-deadline", "session-silence", "grace").contains(key)) {
      other = "900ms"; // longer ones do not go with the others' defaults
    } else if (key.equals("sharing.preempt-for")) {
      other = "FAIR_SHARE";
    } else if (key.equals("sharing.first-run")) {
      other = "BESIDE";
    } else if (key.equals("sharing.order")) {
      other = "EXPECTED";
    } else if (key.equals("notices.mail")) {
      other = "/usr/sbin/sendmail -i -t";
    } else if (key.equals("notices.hosts")) {
      other = "hooks.example.org";
    } else if (key.equals("metrics.users")) {
      other = true;
    } else if (key.equals("sharing.resources")) {
      other = "lic=4";
    }
    Config changed = defaults().withValue(key, ConfigValueFactory.fromAnyRef(other));
    assertNotEquals(CoordinatorSettings.from(defaults()), CoordinatorSettings.from(changed), key);
  }

  @Test
  void the_contact_deadline_has_passed_everywhere_before_a_silent_nodes_tasks_are_given_up() {
    CoordinatorSettings settings = CoordinatorSettings.from(defaults());
    assertTrue(
        settings
                .retry()
                .silence()
                .compareTo(settings.contactDeadline().plus(settings.sessionSilence()))
            > 0);
    assertTrue(settings.endDeadline().compareTo(settings.grace()) > 0);
    assertTrue(settings.contactDeadline().compareTo(settings.tick().multipliedBy(3)) > 0);
  }

  @Test
  void an_interface_that_would_let_nobody_in_is_refused() {
    for (String key : List.of("max-connections", "requests-per-second", "refusals-per-second")) {
      Config none = defaults().withValue("rest." + key, ConfigValueFactory.fromAnyRef(0));
      assertThrows(IllegalArgumentException.class, () -> CoordinatorSettings.from(none), key);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "contact-lost, 9s",
    "contact-deadline, 9s",
    "end-deadline, 1s",
    "tick, 0s",
    "retention.age, 0s"
  })
  void settings_that_would_run_work_twice_or_never_end_are_refused(String key, String value) {
    Config changed = defaults().withValue(key, ConfigValueFactory.fromAnyRef(value));
    assertThrows(IllegalArgumentException.class, () -> CoordinatorSettings.from(changed));
  }
}
