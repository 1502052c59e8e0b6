package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
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
import java.util.Set;

/** A message from an agent to the coordinator. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = AgentMessage.Hello.class, name = "hello"),
  @JsonSubTypes.Type(value = AgentMessage.Report.class, name = "report"),
  @JsonSubTypes.Type(value = AgentMessage.Standstill.class, name = "standstill"),
  @JsonSubTypes.Type(value = AgentMessage.Devices.class, name = "devices"),
  @JsonSubTypes.Type(value = AgentMessage.Telemetry.class, name = "telemetry"),
  @JsonSubTypes.Type(value = AgentMessage.TaskHappened.class, name = "task-event"),
  @JsonSubTypes.Type(value = AgentMessage.Metrics.class, name = "metrics"),
  @JsonSubTypes.Type(value = AgentMessage.Output.class, name = "output"),
  @JsonSubTypes.Type(value = AgentMessage.Signalled.class, name = "signalled"),
  @JsonSubTypes.Type(value = AgentMessage.Leaving.class, name = "leaving")
})
public sealed interface AgentMessage extends WireMessage {

  /**
   * The first message of a connection.
   *
   * @param node name of the node
   * @param boot unique for each start of the agent
   * @param protocol the agent's {@link WireMessage#PROTOCOL_VERSION}
   * @param build version of the agent
   * @param pid process id of the agent
   * @param devicesFrom source of the device list, or why there are no devices
   * @param labels labels of the node
   * @param tasks attempts on the node
   * @param machine that the node is on, possibly with others
   * @param processSpace scope in which the agent's pids are unique; empty if unknown
   * @param network how other nodes reach it
   * @param understands what it can do besides, so that it is sent only what it knows: {@link
   *     #PARAMETERS}, {@link #STREAMS}; of an older build nothing
   * @param counted amounts of the node's counted resources; an earlier build sends none
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
      String processSpace,
      NodeAddressAndPorts network,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Set<String> understands,
      Map<String, Long> counted)
      implements AgentMessage {

    /** It fills the commands of tasks that have {@link TaskStartOrder#parameters}. */
    public static final String PARAMETERS = "parameters";

    /**
     * It knows widths and numbers of tasks in the paths of streams, and runs tasks whose output may
     * stay with it.
     */
    public static final String STREAMS = "streams";

    public Hello {
      understands = understands == null ? Set.of() : Set.copyOf(understands);
      counted = counted == null ? Map.of() : Map.copyOf(counted);
      devices = List.copyOf(devices);
      labels = Map.copyOf(labels);
      tasks = List.copyOf(tasks);
    }

    /** Creates the message of a node without labels, counted resources and process space. */
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
          "",
          NodeAddressAndPorts.LOOPBACK,
          Set.of(),
          Map.of());
    }
  }

  /**
   * The attempts on the node. Sent at each change and every second, so it is also the heartbeat.
   *
   * @param revision revision of the newest {@link CoordinatorMessage.Desired} that was followed
   * @param sampling whether telemetry is sent; after a report with false no sample follows
   */
  record Report(long revision, boolean sampling, List<TaskReport> tasks) implements AgentMessage {
    public Report {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * Something on the node hangs and delays new tasks. Repeated every second, and sent once more
   * when it is over.
   *
   * @param what description; empty when it is over
   * @param millis duration so far
   */
  record Standstill(String what, long millis) implements AgentMessage {}

  /** The node's device list has changed. */
  record Devices(List<DeviceInfo> devices) implements AgentMessage {
    public Devices {
      devices = List.copyOf(devices);
    }
  }

  /** Samples in the order in which they were taken. */
  record Telemetry(List<NodeSample> samples) implements AgentMessage {
    public Telemetry {
      samples = List.copyOf(samples);
    }
  }

  /** A worker's event, repeated until it is acknowledged. */
  record TaskHappened(AttemptId attempt, long sequence, WorkerEvent event)
      implements AgentMessage {}

  /**
   * What the program of an attempt has reported itself, repeated until a {@link
   * CoordinatorMessage.MetricsKept} acknowledges it. Sent only to a coordinator that understands
   * it.
   *
   * @param from place of the first of these values in all that the attempt has reported
   * @param until place after the last; each message of an attempt begins where one before has ended
   * @param points of each metric, in their order
   * @param notes what there is to say about values that are missing here, by what it is about;
   *     replaces earlier ones about the same
   */
  record Metrics(
      AttemptId attempt,
      long from,
      long until,
      Map<String, List<ReportedPoint>> points,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> notes)
      implements AgentMessage {
    public Metrics {
      points = Map.copyOf(points);
      notes = notes == null ? Map.of() : Map.copyOf(notes);
    }
  }

  /**
   * A part of a task's output, or of what came by a channel beside it.
   *
   * @param id id of the request
   * @param offset offset of the first byte
   * @param size size of the whole output so far in bytes
   * @param dropped number of requested bytes before the offset that are no longer kept
   * @param fault why there are no bytes, or null
   * @param shared whether other tasks write to the same file, so that more may follow after the end
   *     of this one
   * @param channel of a channel, how far it is; else null
   * @param place as {@link OutputPlace#text}, if the request has named the machine of the node;
   *     else null, as from an agent of an earlier build and of output in a file of the user's
   */
  record Output(
      long id,
      long offset,
      byte[] bytes,
      long size,
      long dropped,
      String fault,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean shared,
      @JsonInclude(JsonInclude.Include.NON_NULL) AttemptChannelProgress channel,
      @JsonInclude(JsonInclude.Include.NON_NULL) String place)
      implements AgentMessage {
    /** Maximum number of bytes in one answer. */
    public static final int MOST_BYTES = 256 << 10;

    /** A part of the output of one task. */
    public Output(long id, long offset, byte[] bytes, long size, long dropped, String fault) {
      this(id, offset, bytes, size, dropped, fault, false, null);
    }

    /** A part of which nobody has asked where it lies. */
    public Output(
        long id,
        long offset,
        byte[] bytes,
        long size,
        long dropped,
        String fault,
        boolean shared,
        AttemptChannelProgress channel) {
      this(id, offset, bytes, size, dropped, fault, shared, channel, null);
    }

    /** Returns the offset after these bytes. */
    public long end() {
      return offset + bytes.length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Output output
          && id == output.id
          && offset == output.offset
          && size == output.size
          && dropped == output.dropped
          && Arrays.equals(bytes, output.bytes)
          && Objects.equals(fault, output.fault)
          && shared == output.shared
          && Objects.equals(channel, output.channel)
          && Objects.equals(place, output.place);
    }

    @Override
    public int hashCode() {
      return Objects.hash(id, offset, size, dropped, Arrays.hashCode(bytes), fault);
    }
  }

  /** A signal asked the agent to end; it ends next. */
  record Signalled(String by) implements AgentMessage {}

  /** The agent is about to end. */
  record Leaving(String reason) implements AgentMessage {}
}
