package io.remuda.agent.actor;

import io.remuda.agent.keeper.ProcessSpace;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.BuildId;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.telemetry.model.DeviceInfo;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * This node's place in the cluster: the link to the coordinator, as what the node has introduced
 * itself there, and whether it was welcomed. Used by the node agent's actor alone.
 */
final class CoordinatorMembership {

  /** Longer than a lost agent of the same name may still count as connected. */
  private static final Duration NAME_FREED = Duration.ofSeconds(8);

  private final ActorContext<NodeAgent.Command> context;
  private final NodeAgent.Parts parts;
  private final AgentSettings settings;
  private final String boot = UUID.randomUUID().toString();
  private List<DeviceInfo> knownDevices;
  private ActorRef<CoordinatorLink.Command> link;
  private boolean welcomed;
  private long unreachableSince;

  /** When the name was first found taken, on the monotonic clock; null if it is not. */
  private Long nameTakenSince;

  /** None yet, and no link either. */
  CoordinatorMembership(ActorContext<NodeAgent.Command> context, NodeAgent.Parts parts) {
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
   * Looks for the coordinator from now on. The link's failure, as that of any child, ends the
   * agent: another one is started and adopts.
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

  /** There is a connection: says who is there, and what of tasks. */
  void introduce(List<TaskReport> tasks) {
    welcomed = false;
    link.tell(new CoordinatorLink.Send(hello(tasks)));
  }

  private AgentMessage.Hello hello(List<TaskReport> tasks) {
    return new AgentMessage.Hello(
        settings.node(),
        boot,
        WireMessage.PROTOCOL_VERSION,
        BuildId.VERSION,
        ProcessHandle.current().pid(),
        parts.host(),
        knownDevices,
        parts.devicesFrom(),
        parts.labels(),
        tasks,
        parts.machine(),
        ProcessSpace.here());
  }

  /** There is no connection any more. */
  void disconnected() {
    welcomed = false;
    unreachableSince = now();
  }

  /** The coordinator takes this node in. */
  void welcome() {
    welcomed = true;
    nameTakenSince = null;
  }

  boolean isWelcome() {
    return welcomed;
  }

  /**
   * The coordinator says that another node has this name.
   *
   * @return whether it will not come free: an agent that is just ending, or whose machine has lost
   *     its way to the coordinator, would have made room by now
   */
  boolean isNameTakenForGood() {
    nameTakenSince = nameTakenSince == null ? Long.valueOf(now()) : nameTakenSince;
    return now() - nameTakenSince >= NAME_FREED.toNanos();
  }

  /** Whether no coordinator was there for long, and nothing says where one would be. */
  boolean isHopeless() {
    boolean nobody = now() - unreachableSince > settings.timing().giveUp().toNanos();
    return !welcomed && nobody && !settings.access().toFile().exists();
  }

  /** Says something to the coordinator; before a welcome it is dropped. */
  void send(AgentMessage message) {
    if (welcomed && link != null) {
      link.tell(new CoordinatorLink.Send(message));
    }
  }

  /** A driver that comes up late brings devices that the introduction did not have. */
  void reportDevices() {
    List<DeviceInfo> devices = parts.sampler().inventory();
    if (welcomed && !devices.equals(knownDevices)) {
      knownDevices = devices;
      send(new AgentMessage.Devices(devices));
    }
  }
}
