package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.telemetry.model.CpuSeconds;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.FileSystemReading;
import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.model.TemperatureReading;
import io.remuda.telemetry.model.TransferReading;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeaseHolderProcess;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TrainingTerms;
import io.remuda.worker.job.sweep.TaskParameters;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WireCodecTest {
  private static final AttemptId ATTEMPT = AttemptId.parse("1.0.2");
  private static final DeviceId DEVICE = new DeviceId("GPU-8f2c");
  private static final HostInfo HOST = new HostInfo("pinoak", "a CPU", 8, 3.5, 8L << 30, 4L << 30);
  private static final DeviceInfo INFO =
      new DeviceInfo(DEVICE, 0, DeviceVendor.NVIDIA, "NVIDIA H200", null, 141L << 30, "580.1");
  private static final TaskReport RUNNING =
      new TaskReport(
          ATTEMPT,
          TaskPhase.RUNNING,
          4711,
          new TaskReport.TaskProgress(3, 938, "epoch 1/14"),
          null);
  private static final TaskReport ENDED =
      new TaskReport(
          AttemptId.parse("2.1.1"),
          TaskPhase.ENDED,
          0,
          null,
          new TaskEnd(
              TaskEnd.Kind.BY_ITSELF,
              null,
              9,
              "signal 9",
              1L << 33,
              1234L,
              5678L,
              new TaskEnd.GpuUse(5L << 30, 70),
              TaskEnd.Shortage.GPU));
  private static final DeviceSample SAMPLE =
      DeviceSampleBuilder.of(DEVICE, 0)
          .utilGpu(10)
          .memTotal(141L << 30)
          .processes(List.of(new DeviceProcess(4711, null)))
          .health(DeviceHealth.DEGRADED)
          .error("nvmlDeviceGetFanSpeed", "NOT_SUPPORTED")
          .build();
  private static final NodeSample NODE_SAMPLE =
      new NodeSample(
          "n1",
          3,
          1_700_000_000_000L,
          new HostSample(
              0.17,
              0.2,
              0.3,
              null,
              8,
              8L << 30,
              4L << 30,
              null,
              new HostDetails(
                  new CpuSeconds(1, 2, 3, 4, 5, 6, 7, 8.25),
                  List.of(100, 0),
                  List.of(new TransferReading("sda", 1L << 40, 2, 3.5, null)),
                  null,
                  List.of(new TemperatureReading("coretemp Package id 0", 61.5)),
                  List.of(new FileSystemReading("/", "ext4", 3, 2, 1)))),
          List.of(SAMPLE));
  private static final TaskStartOrder TRAINING =
      new TaskStartOrder(
          ATTEMPT,
          "ann",
          true,
          0,
          new MnistWorkload(0.5, 14, 64, 1000, 0.7, 1, null, true),
          List.of(DEVICE),
          3,
          true,
          TestAgents.FACTS);
  private static final TaskStartOrder COMMAND =
      new TaskStartOrder(
          AttemptId.parse("2.0.1"),
          "ann",
          false,
          300_000,
          new CommandWorkload(List.of("/bin/echo", "a b"), Map.of("A", "1"), "/tmp", 022),
          List.of(),
          1,
          false,
          new TaskStartOrder.JobFacts(
              new UUID(1, 2),
              "sweep",
              3,
              new ResourceRequest(0.5, 1, 1 << 20, 1 << 30, "H200", Map.of("zone", "a"))),
          7,
          new TaskStartOrder.Ending(30_000, 10, 3_300_000),
          new TaskStartOrder.Training(TrainingTerms.of(9), 4, 7000),
          new TaskParameters(Map.of("lr", "0.1"), Map.of("REMUDA_PARAM_LR", "0.1")));

  private static final TaskStartOrder LEASE =
      new TaskStartOrder(
          AttemptId.parse("3.0.1"),
          "ann",
          false,
          0,
          new LeasedProgramWorkload(4711, 123_456, "python3 train.py"),
          List.of(new DeviceId("GPU-1")),
          1,
          true,
          new TaskStartOrder.JobFacts(
              new UUID(1, 2),
              "train",
              1,
              new ResourceRequest(0, 1)
                  .boundTo(new LeaseHolderProcess(4711, List.of(new DeviceId("GPU-1"))))));

  private static final List<AgentMessage> FROM_AGENT =
      List.of(
          new AgentMessage.Hello(
              "n1",
              "boot",
              1,
              "0.1.0",
              12,
              HOST,
              List.of(INFO),
              "NVML",
              Map.of("zone", "a"),
              List.of(RUNNING, ENDED),
              new MachineFacts("6f2c/4026531836", 2.5, 1L << 33, 256L << 20, true),
              "6f2c/4026531836",
              new NodeAddressAndPorts("10.0.0.1", 20_000, 29_999),
              Set.of(AgentMessage.Hello.PARAMETERS),
              Map.of("scratch", 2L)),
          new AgentMessage.Output(7, 12, new byte[] {0, -1, 65}, 15, 4, null),
          new AgentMessage.Output(
              8, 3, new byte[] {66}, 4, 0, null, true, new AttemptChannelProgress(9, 7, true, 3)),
          new AgentMessage.Output(9, 3, new byte[] {66}, 4, 0, null, false, null, "1 2 1.0.1 /n"),
          new AgentMessage.Report(7, true, List.of(RUNNING, ENDED)),
          new AgentMessage.Metrics(
              ATTEMPT,
              10,
              50,
              Map.of(
                  "loss",
                  List.of(
                      ReportedPoint.of(1_000, null, 0.5),
                      new ReportedPoint(2_000, 7.0, 3, 0.2, 0.1, 0.3, 0.1))),
              Map.of("nan:loss", "loss was nan once")),
          new AgentMessage.Devices(List.of(INFO)),
          new AgentMessage.Telemetry(List.of(NODE_SAMPLE)),
          new AgentMessage.TaskHappened(ATTEMPT, 3, new WorkerEvent.Trained(0.5, 0.02, 99.1)),
          new AgentMessage.Devices(List.of(INFO)),
          new AgentMessage.Signalled("SIGTERM"),
          new AgentMessage.Standstill("the disk of /n1", 7000),
          new AgentMessage.Leaving("signal"));
  private static final List<CoordinatorMessage> FROM_COORDINATOR =
      List.of(
          new CoordinatorMessage.Welcome(1, 6000, 1000),
          new CoordinatorMessage.NameTaken("pinoak"),
          new CoordinatorMessage.NotLeader("10.0.0.2:7000"),
          new CoordinatorMessage.Refused("agent is build 0.0.9"),
          new CoordinatorMessage.Desired(1, 9, true, List.of(TRAINING, COMMAND, LEASE)),
          new OrderTemplates()
              .shorten(new CoordinatorMessage.Desired(1, 9, true, List.of(TRAINING, COMMAND))),
          new CoordinatorMessage.Desired(
              1, 10, true, List.of(COMMAND), List.of(CoordinatorMessage.Kept.of(TRAINING))),
          new CoordinatorMessage.ReadOutput(7, ATTEMPT, OutputStreamName.ERR, -80, 80),
          new CoordinatorMessage.ReadOutput(
              9, ATTEMPT, OutputStreamName.OUT, 0, 80, List.of("a"), null, "6f2c/4026531836"),
          new CoordinatorMessage.ReadOutput(
              8,
              ATTEMPT,
              OutputStreamName.OUT,
              0,
              0,
              List.of(),
              new ChannelExchangeRequest(
                  "s1", "shell", 4, new byte[] {0, -1}, true, 12, 24, 80, true, List.of("ls"))),
          new CoordinatorMessage.Welcome(
              2, 3, 4, new StateFileLineage(List.of(new StateFileLineage.Origin("0123abcd", 9)))),
          new CoordinatorMessage.Welcome(2, 3, 4, StateFileLineage.ALL, Set.of()),
          new CoordinatorMessage.MetricsKept(ATTEMPT, 50),
          new CoordinatorMessage.KillNow(List.of(ATTEMPT)),
          new CoordinatorMessage.EndForeign(ATTEMPT.tagged("0123abcd4567cdef")),
          new CoordinatorMessage.ToTask(ATTEMPT, new ToWorker.ItemsGranted(2, 0, 32)),
          new CoordinatorMessage.GiveBack(ATTEMPT, false, "CUDA out of memory", true),
          new CoordinatorMessage.EndNode("the run is over", 1000));

  private static void assertComplete(Class<?> sealed, List<?> samples) {
    assertEquals(
        Set.of(sealed.getPermittedSubclasses()),
        samples.stream().map(Object::getClass).collect(Collectors.toSet()));
  }

  @Test
  void a_sample_of_an_agent_that_tells_no_details_is_read_without_them() throws Exception {
    ObjectMapper cbor = new CBORMapper();
    ObjectNode message =
        (ObjectNode)
            cbor.readTree(WireCodec.encode(new AgentMessage.Telemetry(List.of(NODE_SAMPLE))));
    ((ObjectNode) message.at("/samples/0/host")).remove("details");
    AgentMessage.Telemetry read =
        WireCodec.decode(cbor.writeValueAsBytes(message), AgentMessage.Telemetry.class);
    assertEquals(HostDetails.UNKNOWN, read.samples().get(0).host().details());
    assertEquals(0.17, read.samples().get(0).host().load1());
  }

  @Test
  void every_message_of_an_agent_arrives_as_it_was_sent() {
    assertComplete(AgentMessage.class, FROM_AGENT);
    for (AgentMessage message : FROM_AGENT) {
      assertEquals(message, WireCodec.decode(WireCodec.encode(message), AgentMessage.class));
    }
  }

  @Test
  void every_message_of_the_coordinator_arrives_as_it_was_sent() {
    assertComplete(CoordinatorMessage.class, FROM_COORDINATOR);
    for (CoordinatorMessage message : FROM_COORDINATOR) {
      assertEquals(message, WireCodec.decode(WireCodec.encode(message), CoordinatorMessage.class));
    }
  }

  @Test
  void nothing_else_may_leave_the_process() {
    assertArrayEquals(
        new Class<?>[] {AgentMessage.class, CoordinatorMessage.class},
        WireMessage.class.getPermittedSubclasses());
  }

  @Test
  void a_field_of_a_later_version_is_ignored() throws Exception {
    Map<String, Object> later = new HashMap<>();
    later.put("type", "leaving");
    later.put("reason", "signal");
    later.put("mood", "cheerful");
    assertEquals(
        new AgentMessage.Leaving("signal"),
        WireCodec.decode(new CBORMapper().writeValueAsBytes(later), AgentMessage.class));
  }

  @Test
  void a_message_of_a_later_version_is_an_error() throws Exception {
    byte[] unknown = new CBORMapper().writeValueAsBytes(Map.of("type", "dance"));
    assertThrows(UncheckedIOException.class, () -> WireCodec.decode(unknown, AgentMessage.class));
  }

  @Test
  void the_words_of_one_side_are_an_error_from_the_other() {
    byte[] mine = WireCodec.encode(new AgentMessage.Leaving("signal"));
    UncheckedIOException fault =
        assertThrows(
            UncheckedIOException.class, () -> WireCodec.decode(mine, CoordinatorMessage.class));
    assertTrue(fault.getMessage().contains("CoordinatorMessage"), fault.getMessage());
  }

  @Test
  void many_tasks_of_a_job_take_little_more_than_one() {
    List<TaskStartOrder> orders = new ArrayList<>();
    for (int index = 0; index < 1000; index++) {
      orders.add(COMMAND);
    }
    CoordinatorMessage message = new CoordinatorMessage.Desired(1, 9, true, orders);
    byte[] packed = WireCodec.encode(message);
    assertTrue(packed.length < 20_000, packed.length + " bytes");
    assertEquals(message, WireCodec.decode(packed, CoordinatorMessage.class));
  }

  @Test
  void a_packed_message_that_is_cut_or_says_another_length_is_an_error() {
    byte[] packed =
        WireCodec.encode(
            new CoordinatorMessage.Desired(1, 9, true, Collections.nCopies(50, COMMAND)));
    for (int length = 1; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThrows(
          UncheckedIOException.class, () -> WireCodec.decode(cut, CoordinatorMessage.class));
    }
    for (int said : new int[] {-1, 10, 1 << 20, Integer.MAX_VALUE}) {
      byte[] wrong = packed.clone();
      ByteBuffer.wrap(wrong, 1, 4).putInt(said);
      assertThrows(
          UncheckedIOException.class, () -> WireCodec.decode(wrong, CoordinatorMessage.class));
    }
  }

  @Test
  void bytes_that_are_no_message_are_an_error() {
    assertThrows(
        UncheckedIOException.class,
        () -> WireCodec.decode(new byte[] {1, 2, 3}, AgentMessage.class));
  }
}
