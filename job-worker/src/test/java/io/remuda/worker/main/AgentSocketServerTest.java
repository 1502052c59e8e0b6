package io.remuda.worker.main;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent.PoolDone;
import io.remuda.worker.protocol.WorkerEvent.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AgentSocketServerTest {
  private static final FromWorker.Alive PULSE = new FromWorker.Alive(1, 2, "epoch 1/14");

  private final List<ToWorker> received = new CopyOnWriteArrayList<>();
  private Path folder;
  private AgentSocketServer port;

  @BeforeEach
  void open() throws IOException {
    folder = Files.createTempDirectory(Path.of("/tmp"), "rw"); // a socket's path is short
    port = AgentSocketServer.open(folder, received::add, () -> PULSE);
  }

  @AfterEach
  void close() throws IOException {
    port.close();
    Files.deleteIfExists(folder.resolve("worker.sock"));
    Files.delete(folder);
  }

  @RepeatedTest(200)
  void events_told_just_before_an_agent_connects_arrive_in_their_order() throws IOException {
    port.tell(new Said("one"));
    port.tell(new Said("two"));
    try (FakeAgent agent = new FakeAgent(folder)) {
      agent.awaitEvents(new Said("one"), new Said("two"));
    }
  }

  @Test
  void events_are_repeated_after_a_reconnect_until_they_are_acknowledged() throws Exception {
    port.tell(new Said("one"));
    port.tell(new Said("two"));
    try (FakeAgent first = new FakeAgent(folder)) {
      first.awaitEvents(new Said("one"), new Said("two"));
      first.send(new ToWorker.Acknowledged(1));
      first.send(new ToWorker.NoMoreItems(9));
      await().until(() -> received.contains(new ToWorker.NoMoreItems(9)));
    }
    try (FakeAgent second = new FakeAgent(folder)) {
      second.awaitEvents(new Said("two"));
      second.send(new ToWorker.Acknowledged(2));
      port.awaitAcknowledged();
    }
    port.tell(new PoolDone(0));
    try (FakeAgent third = new FakeAgent(folder)) {
      third.awaitEvents(new PoolDone(0));
    }
  }

  @Test
  void the_last_event_is_waited_for_until_it_is_acknowledged() throws Exception {
    long sequence = port.tell(new PoolDone(3));
    assertEquals(1, sequence);
    Thread ending = new Thread(this::awaitQuietly);
    ending.start();
    try (FakeAgent agent = new FakeAgent(folder)) {
      agent.awaitEvents(new PoolDone(3));
      assertEquals(true, ending.isAlive());
      agent.send(new ToWorker.Acknowledged(sequence));
      ending.join();
    }
  }

  private void awaitQuietly() {
    try {
      port.awaitAcknowledged();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void answers_reach_the_worker_and_acknowledgements_do_not() throws IOException {
    try (FakeAgent agent = new FakeAgent(folder)) {
      agent.send(new ToWorker.Acknowledged(1));
      agent.send(new ToWorker.ItemsGranted(1, 0, 8));
      agent.send(new ToWorker.NoMoreItems(2));
      List<ToWorker> expected =
          List.of(new ToWorker.ItemsGranted(1, 0, 8), new ToWorker.NoMoreItems(2));
      await().until(() -> received, expected::equals);
    }
  }

  @Test
  void a_heartbeat_says_how_far_the_work_is() throws IOException {
    try (FakeAgent agent = new FakeAgent(folder)) {
      await().atMost(Duration.ofSeconds(10)).until(() -> agent.heard(PULSE));
    }
  }

  @Test
  void the_newest_connection_is_the_one_that_counts() throws IOException {
    try (FakeAgent old = new FakeAgent(folder);
        FakeAgent next = new FakeAgent(folder)) {
      old.awaitEnd();
      port.tell(new Said("here"));
      next.awaitEvents(new Said("here"));
      assertEquals(List.of(), old.events());
    }
  }

  @Test
  void an_agent_that_speaks_nonsense_loses_its_connection_and_no_event() throws IOException {
    try (FakeAgent confused = new FakeAgent(folder)) {
      confused.sendGarbage();
      confused.awaitEnd();
    }
    port.tell(new Said("still here"));
    try (FakeAgent agent = new FakeAgent(folder)) {
      agent.awaitEvents(new Said("still here"));
    }
  }
}
