package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What an agent tells the coordinator. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = AgentMessage.Hello.class, name = "hello"),
  @JsonSubTypes.Type(value = AgentMessage.Report.class, name = "report"),
  @JsonSubTypes.Type(value = AgentMessage.Standstill.class, name = "standstill"),
  @JsonSubTypes.Type(value = AgentMessage.Devices.class, name = "devices"),
  @JsonSubTypes.Type(value = AgentMessage.Telemetry.class, name = "telemetry"),
  @JsonSubTypes.Type(value = AgentMessage.TaskHappened.class, name = "task-event"),
  @JsonSubTypes.Type(value = AgentMessage.Output.class, name = "output"),
  @JsonSubTypes.Type(value = AgentMessage.Signalled.class, name = "signalled"),
  @JsonSubTypes.Type(value = AgentMessage.Leaving.class, name = "leaving")
})
public sealed interface AgentMessage extends WireMessage {

  /**
   * The first message of a connection.
   *
   * @param node the node's name
   * @param boot new for each start of the agent
   * @param protocol the agent's {@link WireMessage#PROTOCOL_VERSION}
   * @param build the agent's version
   * @param pid of the agent
   * @param devicesFrom where the devices are known from, or why there are none
   * @param labels that it was started with
   * @param tasks what runs
   * @param machine that the node is on, maybe with others
   * @param processSpace where the agent's process numbers count, or empty if that is not known
   */
  record Hello(
      String node,
      String boot,
      int protocol,
      String build,
      long pid,
      HostInfo host,
      List<DeviceInfo> devices,
      String devicesFrom,
      Map<String, String> labels,
      List<TaskReport> tasks,
      MachineFacts machine,
      String processSpace)
      implements AgentMessage {
    public Hello {
      devices = List.copyOf(devices);
      labels = Map.copyOf(labels);
      tasks = List.copyOf(tasks);
    }

    /** One of a node without labels that does not say where it is. */
    public Hello(
        String node,
        String boot,
        int protocol,
        String build,
        long pid,
        HostInfo host,
        List<DeviceInfo> devices,
        String devicesFrom,
        List<TaskReport> tasks) {
      this(
          node,
          boot,
          protocol,
          build,
          pid,
          host,
          devices,
          devicesFrom,
          Map.of(),
          tasks,
          MachineFacts.of(host, ""),
          "");
    }
  }

  /**
   * What runs now; repeated every second and sent at each change, so that it is the heartbeat too.
   *
   * @param revision of the newest {@link CoordinatorMessage.Desired} that was followed
   * @param sampling whether telemetry is being sent; no sample follows a report that says it is not
   */
  record Report(long revision, boolean sampling, List<TaskReport> tasks) implements AgentMessage {
    public Report {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * Something on the node stands still, for which what is to begin has to wait; repeated every
   * second and, once, when it goes on.
   *
   * @param what in words; empty when nothing stands still any more
   * @param millis for how long it has
   */
  record Standstill(String what, long millis) implements AgentMessage {}

  /** The node's devices are others than it said before. */
  record Devices(List<DeviceInfo> devices) implements AgentMessage {
    public Devices {
      devices = List.copyOf(devices);
    }
  }

  /** Samples in the order they were taken. */
  record Telemetry(List<NodeSample> samples) implements AgentMessage {
    public Telemetry {
      samples = List.copyOf(samples);
    }
  }

  /** A worker's event, repeated until it is acknowledged. */
  record TaskHappened(AttemptId attempt, long sequence, WorkerEvent event)
      implements AgentMessage {}

  /**
   * A part of what a task has printed.
   *
   * @param id of the question
   * @param offset of the first of the bytes
   * @param size of all that was printed so far, in bytes
   * @param dropped so many bytes before the offset were asked for and are there no more
   * @param fault why there is nothing, or null
   */
  record Output(long id, long offset, byte[] bytes, long size, long dropped, String fault)
      implements AgentMessage {
    /** The most bytes in one answer. */
    public static final int MOST_BYTES = 256 << 10;

    @Override
    public boolean equals(Object other) {
      return other instanceof Output output
          && id == output.id
          && offset == output.offset
          && size == output.size
          && dropped == output.dropped
          && Arrays.equals(bytes, output.bytes)
          && Objects.equals(fault, output.fault);
    }

    @Override
    public int hashCode() {
      return Objects.hash(id, offset, size, dropped, Arrays.hashCode(bytes), fault);
    }
  }

  /** The agent was told by a signal to end, which it does next. */
  record Signalled(String by) implements AgentMessage {}

  /** The agent ends by itself. */
  record Leaving(String reason) implements AgentMessage {}
}
