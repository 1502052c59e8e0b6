package io.remuda.agent.settings;

import com.typesafe.config.Config;
import io.remuda.agent.keeper.limit.SharedMemorySegments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The settings of an agent.
 *
 * @param node name of the node
 * @param run name of the run, or of the cluster for an agent without a run
 * @param access access file of the cluster
 * @param folder folder of this node, for keeper, tasks and logs
 * @param cache folder for native libraries and downloaded data
 * @param tie what the agent ends with
 * @param timing waits and periods
 * @param threadVariables whether commands get the variables that limit the threads of libraries
 * @param shellLimits whether commands get the soft limits of the shells that submitted them
 * @param askToEnd which processes of a task are asked first when it is to end
 * @param trainingCallers whom the port of trainings answers
 * @param environment the agent's own environment, which its keeper and built-in workers inherit
 */
public record AgentSettings(
    String node,
    String run,
    Path access,
    Path folder,
    Path cache,
    EndsWith tie,
    Timing timing,
    boolean threadVariables,
    boolean shellLimits,
    AskToEnd askToEnd,
    TrainingCallers trainingCallers,
    Map<String, String> environment) {

  /** What an agent ends with, besides an order or a signal. */
  public enum EndsWith {
    /** Nothing: a person started it, and it looks for its coordinator for a long time. */
    NONE,
    /** The coordinator's process, which is its parent and listens before the agent dials. */
    PARENT,
    /** The run; its coordinator may be on another machine and may still be starting. */
    RUN
  }

  public AgentSettings {
    Objects.requireNonNull(access, "access");
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(timing, "timing");
    Objects.requireNonNull(askToEnd, "askToEnd");
    Objects.requireNonNull(trainingCallers, "trainingCallers");
    environment = Map.copyOf(environment);
    if (node == null || !node.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
      throw new IllegalArgumentException(
          "a node's name is 1 to 63 letters, digits, '.', '_' or '-', got '" + node + "'");
    }
  }

  /** Reads whether commands get the variables that limit the threads of libraries. */
  public static boolean threadVariables(Config agent) {
    return agent.getBoolean("thread-variables");
  }

  /** Reads whether commands get the soft limits of the shells that submitted them. */
  public static boolean shellLimits(Config agent) {
    return agent.getBoolean("shell-limits");
  }

  /**
   * Returns an agent's environment with what its keeper is to know of {@code remuda.agent}.
   *
   * @throws IllegalArgumentException naming the value if {@code shared-memory} is invalid
   */
  public static Map<String, String> environment(Config agent, Map<String, String> own) {
    String segments = agent.getString("shared-memory");
    if (!Set.of("remove", SharedMemorySegments.KEEP).contains(segments)) {
      throw new IllegalArgumentException(
          "shared-memory must be remove or keep, got '" + segments + "'");
    }
    Map<String, String> all = new HashMap<>(own);
    all.put(SharedMemorySegments.VARIABLE, segments);
    return all;
  }

  /** Returns whether a run started this agent, so that it ends with the run. */
  public boolean launched() {
    return tie != EndsWith.NONE;
  }

  /**
   * Returns the prefix of the keys of this agent's tasks in the keeper and in their environment.
   */
  public String keyPrefix() {
    return run + "/" + node + "/";
  }

  /**
   * Waits and periods; the defaults are in reference.conf under {@code remuda.agent}.
   *
   * @param connectTimeout timeout of one dial
   * @param readTimeout silence after which a connection is closed
   * @param retry minimum wait between dials; random, up to twice as long
   * @param report period of the heartbeat
   * @param workerSilence silence after which a worker counts as stuck
   * @param workerStart maximum time from a worker's start to its first message
   * @param grace from SIGTERM to SIGKILL
   * @param turn maximum wait of an order for the task before it in its slot
   * @param giveUp how long an agent that was started by hand looks for its coordinator
   * @param standstill time after which a disk or a keeper that hangs is reported
   * @param driverStart maximum wait for the device driver to start
   * @param driverDeadline maximum wait for a sample of the devices
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
