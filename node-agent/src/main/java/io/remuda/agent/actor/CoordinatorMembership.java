package io.remuda.agent.actor;

import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.telemetry.model.DeviceInfo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * This node's membership in the cluster: the link to the coordinator, whether the node was
 * welcomed, and the devices that it has announced. Used only by the node agent's actor.
 */
final class CoordinatorMembership {

  /** Longer than a lost agent of the same name may count as connected. */
  private static final Duration NAME_FREED = Duration.ofSeconds(8);

  private final ActorContext<NodeAgentCommand> context;
  private final NodeAgent.Parts parts;
  private final AgentSettings settings;
  private final String boot = UUID.randomUUID().toString();
  private List<DeviceInfo> knownDevices;
  private ActorRef<CoordinatorLink.Command> link;
  private boolean welcomed;
  private long unreachableSince;

  /** When the name was first found taken, on the monotonic clock; null if it is free. */
  private Long nameTakenSince;

  CoordinatorMembership(ActorContext<NodeAgentCommand> context, NodeAgent.Parts parts) {
    this.context = context;
    this.parts = parts;
    this.settings = parts.settings();
    this.knownDevices = parts.sampler().inventory();
    this.unreachableSince = now();
  }

  private long now() {
    return parts.nanoClock().getAsLong();
  }

  /**
   * Starts to dial the coordinator, once. A failure of the link, as of any child, ends the agent; a
   * new agent is then started and adopts the tasks.
   */
  void dial() {
    if (link == null) {
      link =
          context.spawn(
              CoordinatorLink.create(settings, context.getSelf(), parts.nanoClock()),
              "coordinator");
      context.watch(link);
    }
  }

  /**
   * Introduces this node on a new connection.
   *
   * @param up the connection
   */
  void introduce(List<TaskReport> tasks, NodeAgentCommand.LinkUp up) {
    welcomed = false;
    NodeAddressAndPorts network = parts.network();
    link.tell(
        new CoordinatorLink.Send(
            hello(tasks, network.address().isEmpty() ? network.at(up.localAddress()) : network)));
  }

  private AgentMessage.Hello hello(List<TaskReport> tasks, NodeAddressAndPorts network) {
    return new AgentMessage.Hello(
        settings.node(),
        boot,
        WireMessage.PROTOCOL_VERSION,
        BuildVersion.VERSION,
        ProcessHandle.current().pid(),
        parts.host(),
        knownDevices,
        parts.devicesFrom(),
        parts.labels(),
        tasks,
        parts.machine(),
        PidScope.here(),
        network,
        Set.of(AgentMessage.Hello.PARAMETERS, AgentMessage.Hello.STREAMS),
        parts.counted());
  }

  /** Notes that the connection is lost. */
  void disconnected() {
    welcomed = false;
    unreachableSince = now();
  }

  /** Notes that the coordinator has accepted this node. */
  void welcome() {
    welcomed = true;
    nameTakenSince = null;
  }

  boolean isWelcome() {
    return welcomed;
  }

  /**
   * Notes that another node has this name.
   *
   * @return whether the name has been taken for longer than an ending or disconnected agent of that
   *     name could keep it
   */
  boolean isNameTakenForGood() {
    nameTakenSince = nameTakenSince == null ? Long.valueOf(now()) : nameTakenSince;
    return now() - nameTakenSince >= NAME_FREED.toNanos();
  }

  /** Returns whether no coordinator was reachable for long. */
  boolean isLongUnreachable() {
    return !welcomed && now() - unreachableSince > settings.timing().giveUp().toNanos();
  }

  /** Sends a message to the coordinator; drops it before the welcome. */
  void send(AgentMessage message) {
    if (welcomed && link != null) {
      link.tell(new CoordinatorLink.Send(message));
    }
  }

  /** Sends the device list if it has changed, as when a driver starts late. */
  void reportDevices() {
    List<DeviceInfo> devices = parts.sampler().inventory();
    if (welcomed && !devices.equals(knownDevices)) {
      knownDevices = devices;
      send(new AgentMessage.Devices(devices));
    }
  }
}
