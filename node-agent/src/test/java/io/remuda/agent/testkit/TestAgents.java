package io.remuda.agent.testkit;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** Settings and orders of an agent for tests. */
public final class TestAgents {
  private TestAgents() {}

  /** The node n1 of the run r1, with the default timing. */
  public static AgentSettings settings(Path folder) {
    return settings(folder, timing());
  }

  public static AgentSettings settings(Path folder, AgentSettings.Timing timing) {
    return PlainSettings.of(
        "n1",
        "r1",
        folder.resolve("access.json"),
        folder,
        folder.resolve("cache"),
        AgentSettings.EndsWith.PARENT,
        timing);
  }

  public static AgentSettings.Timing timing() {
    return AgentSettings.Timing.from(ConfigFactory.defaultReference().getConfig("remuda.agent"));
  }

  /** What tasks are told of their job where it does not matter. */
  public static final TaskStartOrder.JobFacts FACTS =
      new TaskStartOrder.JobFacts(new UUID(0, 1), "job", 1, new ResourceRequest(0, 0));

  /** An order that shares its slot with others. */
  public static TaskStartOrder withSlot(String attempt, long slot) {
    return in(slot, order(attempt).workload(), order(attempt));
  }

  /** A training of two epochs. */
  public static TaskStartOrder training(String attempt) {
    return in(0, new MnistWorkload(0.5, 2, 64, 1000, 0.7, 1, null, true), order(attempt));
  }

  /** A command in a slot. */
  public static TaskStartOrder command(String attempt, long slot, String... arguments) {
    List<String> argv = Stream.concat(Stream.of("true"), Stream.of(arguments)).toList();
    return in(slot, new CommandWorkload(argv, Map.of(), "/", 022), order(attempt));
  }

  private static TaskStartOrder in(long slot, Workload workload, TaskStartOrder order) {
    return new TaskStartOrder(
        order.attempt(),
        order.user(),
        order.tied(),
        order.contactMillis(),
        workload,
        order.devices(),
        order.threads(),
        order.cuda(),
        order.job(),
        slot,
        null,
        null);
  }

  /** An order for a convolution with these devices. */
  public static TaskStartOrder order(String attempt, String... devices) {
    List<DeviceId> lent = Stream.of(devices).map(DeviceId::new).toList();
    return new TaskStartOrder(
        AttemptId.parse(attempt),
        "ann",
        true,
        0,
        new ConvolutionWorkload(1024, 1),
        lent,
        3,
        !lent.isEmpty(),
        FACTS);
  }
}
