package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.testkit.Messages;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;

class TelemetryPostProcessorTest {
  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(terminal, false, StandardCharsets.UTF_8);
  private final Console console = Console.of(stream, stream, stream);
  private final TestInbox<TelemetryPostProcessor.Finished> reply = TestInbox.create();
  private final BehaviorTestKit<TelemetryPostProcessor.Command> postProcessor =
      BehaviorTestKit.create(TelemetryPostProcessor.create(console));

  private List<String> lines() {
    console.close();
    return terminal.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static NodeSample sample(String node, double load, DeviceSample... devices) {
    return new NodeSample(
        node, 1, 0, new HostSample(load, 0, 0, null, 4, 1L << 33, 1L << 32, 0L), List.of(devices));
  }

  private static DeviceSample device(int index, Integer util) {
    return DeviceSampleBuilder.of(new DeviceId("GPU-" + index), index).utilGpu(util).build();
  }

  @Test
  void every_command_is_handled() {
    for (TelemetryPostProcessor.Command sample :
        Messages.oneOfEach(TelemetryPostProcessor.Command.class, reply.getRef())) {
      BehaviorTestKit<TelemetryPostProcessor.Command> kit =
          BehaviorTestKit.create(TelemetryPostProcessor.create(console));
      kit.run(sample);
      assertFalse(Behavior.isUnhandled(kit.returnedBehavior()), sample.toString());
    }
  }

  @Test
  void it_prints_a_line_for_each_sample_in_order_and_ends_when_told() {
    postProcessor.run(
        new TelemetryPostProcessor.Samples(
            List.of(
                sample("pinoak0034", 0.17, device(0, 10), device(1, 99)),
                sample("pinoak0035", 29.7))));
    postProcessor.run(new TelemetryPostProcessor.Closed("pinoak0035"));
    postProcessor.run(
        new TelemetryPostProcessor.Samples(List.of(sample("pinoak0034", 1, device(0, null)))));
    postProcessor.run(new TelemetryPostProcessor.Closed("pinoak0034"));
    postProcessor.run(new TelemetryPostProcessor.Finish(reply.getRef()));
    assertFalse(postProcessor.isAlive());
    assertEquals(
        List.of(
            "nodename: pinoak0034 cpu load average 1 minute: 0.17 device # 0 utilization: 10.00%",
            "nodename: pinoak0035 cpu load average 1 minute: 29.7",
            "Telemetry process on node pinoak0035 exiting ...",
            "nodename: pinoak0034 cpu load average 1 minute: 1.0 device # 0 utilization: n/a",
            "Telemetry process on node pinoak0034 exiting ...",
            "Post process is exiting"),
        lines());
  }

  @Test
  void its_last_word_has_a_summary_of_each_node() {
    postProcessor.run(
        new TelemetryPostProcessor.Samples(
            List.of(sample("n1", 1, device(0, 20)), sample("n1", 3, device(0, 40)))));
    postProcessor.run(new TelemetryPostProcessor.Finish(reply.getRef()));
    var summary = reply.receiveMessage().summaries().get(0);
    assertEquals("n1", summary.node());
    assertEquals(2, summary.samples());
    assertEquals(2, summary.meanLoad1());
    assertEquals(40, summary.maxUtil());
  }
}
