package io.remuda.agent.settings;

import com.typesafe.config.Config;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * What an agent was started with.
 *
 * @param node the node's name
 * @param run names the run or, for an agent that stays, the agent's folder
 * @param access the access file of the cluster
 * @param folder of this node: keeper, tasks, logs
 * @param cache for native libraries and downloaded data
 * @param tie what it ends with
 * @param timing waits and periods
 */
public record AgentSettings(
    String node, String run, Path access, Path folder, Path cache, EndsWith tie, Timing timing) {

  /** What an agent ends with, besides an order or a signal. */
  public enum EndsWith {
    /** It stays and looks for its coordinator for a long time: people started it. */
    NONE,
    /** The coordinator's process, which is its parent and listens before the agent dials. */
    PARENT,
    /** The run, whose coordinator may be on another machine and still be starting. */
    RUN
  }

  public AgentSettings {
    Objects.requireNonNull(access, "access");
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(timing, "timing");
    if (node == null || !node.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
      throw new IllegalArgumentException(
          "a node's name is 1 to 63 letters, digits, '.', '_' or '-', got '" + node + "'");
    }
  }

  /** Whether a run started it, to end with it. */
  public boolean launched() {
    return tie != EndsWith.NONE;
  }

  /** The prefix of the keys that this agent's tasks have in the keeper and in their environment. */
  public String keyPrefix() {
    return run + "/" + node + "/";
  }

  /**
   * Waits and periods; the defaults stand in reference.conf under {@code remuda.agent}.
   *
   * @param connectTimeout of one dial
   * @param readTimeout of silence after which a connection is given up
   * @param retry shortest wait between dials; up to twice as long by chance
   * @param report period of the heartbeat
   * @param workerSilence after which a worker counts as stuck
   * @param workerStart longest time from a worker's start to its first word
   * @param grace from SIGTERM to SIGKILL
   * @param turn longest wait of an order for the task before it in its slot
   * @param giveUp how long an agent that nobody launched looks for its coordinator
   * @param standstill after which a disk or a keeper that does not go on is reported
   * @param driverStart longest wait for the device driver to start
   * @param driverDeadline longest wait for a sample of the devices
   */
  public record Timing(
      Duration connectTimeout,
      Duration readTimeout,
      Duration retry,
      Duration report,
      Duration workerSilence,
      Duration workerStart,
      Duration grace,
      Duration turn,
      Duration giveUp,
      Duration standstill,
      Duration driverStart,
      Duration driverDeadline) {

    public static Timing from(Config agent) {
      return new Timing(
          agent.getDuration("connect-timeout"),
          agent.getDuration("read-timeout"),
          agent.getDuration("retry"),
          agent.getDuration("report-interval"),
          agent.getDuration("worker-silence"),
          agent.getDuration("worker-start"),
          agent.getDuration("grace"),
          agent.getDuration("turn"),
          agent.getDuration("give-up"),
          agent.getDuration("standstill"),
          agent.getDuration("driver-start"),
          agent.getDuration("driver-deadline"));
    }
  }
}
