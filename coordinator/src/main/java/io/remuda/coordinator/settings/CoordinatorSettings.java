package io.remuda.coordinator.settings;

import com.typesafe.config.Config;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.coordinator.store.Retention;
import io.remuda.worker.job.NodeConstraints;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Settings of the coordinator. reference.conf describes them, with their defaults, under {@code
 * remuda.coordinator}.
 */
public record CoordinatorSettings(
    Duration contactDeadline,
    Duration tick,
    Duration sessionSilence,
    int handshakesPerSecond,
    Duration nodePatience,
    Duration nodesDeadline,
    Duration nodesReturn,
    Duration grace,
    Duration endDeadline,
    RetryPolicy retry,
    SchedulingSettings sharing,
    Retention retention,
    long historyBytes,
    MetricsSettings metrics,
    LiveJobLimits limits,
    RestSettings rest,
    NoticeSettings notices) {

  public CoordinatorSettings {
    if (retry.silence().compareTo(contactDeadline.plus(sessionSilence)) < 0) {
      throw new IllegalArgumentException(
          "contact-lost ("
              + retry.silence()
              + ") must be at least contact-deadline + session-silence ("
              + contactDeadline.plus(sessionSilence)
              + "), or work would run twice");
    }
    if (endDeadline.compareTo(grace) <= 0) {
      throw new IllegalArgumentException(
          "end-deadline (" + endDeadline + ") must be longer than grace (" + grace + ")");
    }
    if (retry.avoidance().after() < 1) {
      throw new IllegalArgumentException(
          "retry.avoid-after must be at least 1, got " + retry.avoidance().after());
    }
    if (handshakesPerSecond < 1) {
      throw new IllegalArgumentException(
          "handshakes-per-second must be at least 1, got " + handshakesPerSecond);
    }
    for (Duration period : List.of(contactDeadline, tick, sessionSilence)) {
      if (period.isZero() || period.isNegative()) {
        throw new IllegalArgumentException(
            "contact-deadline, tick and session-silence must be above 0");
      }
    }
  }

  private static final String PATH = "remuda.coordinator";

  /**
   * Returns the settings that these sources give.
   *
   * @throws io.remuda.agent.settings.file.BadSettingsException naming where a value is that cannot
   *     be used
   */
  public static CoordinatorSettings load(LayeredSettingsReader sources) {
    return sources.read(PATH, CoordinatorSettings::from);
  }

  public static CoordinatorSettings from(Config config) {
    Config retry = config.getConfig("retry");
    return new CoordinatorSettings(
        config.getDuration("contact-deadline"),
        config.getDuration("tick"),
        config.getDuration("session-silence"),
        config.getInt("handshakes-per-second"),
        config.getDuration("node-patience"),
        config.getDuration("nodes-deadline"),
        config.getDuration("nodes-return"),
        config.getDuration("grace"),
        config.getDuration("end-deadline"),
        new RetryPolicy(
            retry.getInt("max-interruptions"),
            retry.getInt("max-crashes"),
            retry.getDuration("first-delay"),
            retry.getDuration("max-delay"),
            config.getDuration("contact-lost"),
            new RetryPolicy.Avoidance(
                retry.getInt("avoid-after"),
                retry.getDuration("avoid-first"),
                retry.getDuration("avoid-longest")),
            new RetryPolicy.GpuRests(
                retry.getInt("gpu-rest-after"),
                retry.getDuration("gpu-rest-quick"),
                retry.getDuration("gpu-rest-first"),
                retry.getDuration("gpu-rest-longest"))),
        new SchedulingSettings(
            config.getDuration("sharing.reserve-after"),
            config.getDuration("sharing.use-half-life"),
            config.getDuration("sharing.restartable-contact"),
            config.getDuration("sharing.ahead"),
            config.getEnum(SchedulingSettings.Claims.class, "sharing.preempt-for"),
            config.getEnum(SchedulingSettings.FirstRun.class, "sharing.first-run"),
            counted(config.getString("sharing.resources")),
            config.getEnum(OrderPolicies.class, "sharing.order"),
            new SchedulingSettings.TestBounds(
                config.getDuration("sharing.tests.time-limit"),
                config.getInt("sharing.tests.gpus"),
                config.getInt("sharing.tests.running"))),
        new Retention(config.getDuration("retention.age"), config.getInt("retention.jobs")),
        config.getBytes("history.size"),
        MetricsSettings.from(config.getConfig("metrics")),
        limits(config.getConfig("limits")),
        RestSettings.from(config.getConfig("rest")),
        NoticeSettings.from(config.getConfig("notices")));
  }

  private static Map<String, Long> counted(String text) {
    try {
      return NodeConstraints.read(text.isBlank() ? List.of() : List.of(text));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("sharing.resources: " + wrong.getMessage(), wrong);
    }
  }

  private static LiveJobLimits limits(Config config) {
    return LiveJobLimits.of(
        config.getLong("tasks"),
        config.getLong("tasks-per-user"),
        Runtime.getRuntime().maxMemory(),
        config.getDouble("memory"),
        config.getDouble("memory-per-user"));
  }
}
