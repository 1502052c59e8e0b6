package io.remuda.agent.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.protocol.TaskSignal;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The channels of a node, with requests that come too late, too many, or to a port that hangs. */
@Timeout(60)
class NodeChannelsActorTest {

  private static final AttemptId ATTEMPT = AttemptId.parse("1.0.1");

  @TempDir private Path folder;
  private final AtomicLong clock = new AtomicLong();
  private final TestInbox<AgentMessage.Output> answers = TestInbox.create();
  private BehaviorTestKit<NodeChannelsActor.Command> channels;
  private long number;

  @BeforeEach
  void start() throws IOException {
    AgentSettings settings = TestAgents.settings(folder);
    Files.createDirectories(io.remuda.agent.attempt.TaskFolder.of(settings, ATTEMPT).path());
    channels =
        BehaviorTestKit.create(
            NodeChannelsActor.create(
                clock::get, answers.getRef(), new ShellAndPortOpener(settings)));
  }

  private void use(ChannelExchangeRequest ask, long pid, long receivedAt) {
    ReadOutput question =
        new ReadOutput(++number, ATTEMPT, OutputStreamName.OUT, 0, 0, List.of(), ask);
    channels.run(new NodeChannelsActor.Use(question, pid, receivedAt));
  }

  private void openPort(int port, String name) {
    use(
        new ChannelExchangeRequest(name, "port:" + port, 0, null, false, 0, 0, 0, false),
        0,
        clock.get());
  }

  @Test
  void a_signal_is_not_sent_once_the_coordinator_has_given_it_up() throws Exception {
    Process task =
        new ProcessBuilder(
                "setsid",
                "sh",
                "-c",
                "trap 'echo first; exit' USR1; trap 'echo second; exit' USR2; echo $$;"
                    + " while :; do sleep 0.05; done")
            .start();
    try (BufferedReader out = task.inputReader()) {
      long pid = Long.parseLong(out.readLine());
      clock.set(NodeChannelsActor.MOST_AGE.toNanos() + 1);
      use(TaskSignal.parse("USR1").toAsk(), pid, 0);
      assertTrue(answers.receiveMessage().fault().contains("too busy"));
      use(TaskSignal.parse("USR2").toAsk(), pid, 1);
      assertEquals("second", out.readLine(), "the late one was sent");
      assertTrue(task.waitFor(60, TimeUnit.SECONDS));
    } finally {
      task.destroyForcibly();
    }
  }

  @Test
  void a_channel_is_not_opened_for_a_request_that_was_given_up() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      clock.set(NodeChannelsActor.MOST_AGE.toNanos() + 1);
      use(
          new ChannelExchangeRequest(
              "c", "port:" + listener.getLocalPort(), 0, null, false, 0, 0, 0, false),
          0,
          0);
      assertTrue(answers.receiveMessage().fault().contains("too busy"));
      assertFalse(answers.hasMessages());
    }
  }

  @Test
  void a_port_that_accepts_nothing_delays_no_other_channel() throws Exception {
    try (BusyPort busy = BusyPort.open();
        ServerSocket good = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      for (int each = 0; each < 50; each++) {
        openPort(busy.number(), "stuck" + each);
      }
      assertFalse(answers.hasMessages(), "they wait");
      openPort(good.getLocalPort(), "good");
      good.accept().close();
      clock.set(PortChannel.MOST_WAIT.toNanos()); // that of System.nanoTime has hardly moved
      channels.run(NodeChannelsActor.Look.INSTANCE);
      assertTrue(
          answers.getAllReceived().stream().allMatch(answer -> answer.fault() == null),
          "the one is over and the others have nothing yet");
    }
  }

  @Test
  void the_requests_of_an_attempt_that_wait_have_a_bound() throws Exception {
    try (BusyPort busy = BusyPort.open()) {
      for (int each = 0; each < 200; each++) {
        openPort(busy.number(), "one");
      }
      assertFalse(answers.hasMessages());
      openPort(busy.number(), "one");
      assertEquals("200 requests of it wait already, the most", answers.receiveMessage().fault());
    }
  }
}
