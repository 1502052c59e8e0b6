package io.remuda.agent.keeper.protocol;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.KeeperGoneException;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.task.WithKeeper;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients of a keeper: those that come back, that are replaced, and those that are none. */
class KeeperClientIT extends WithKeeper {
  @Test
  void an_unrenewed_contact_deadline_ends_the_task_and_says_so() {
    client.spawn(
        keeper.requests().leasedFor(400).shell(keeper.key("lease"), "trap '' TERM; sleep 1000"));

    ExitRecord exit = keeper.awaitExit(client, keeper.key("lease"));

    assertTrue(exit.contactLost());
    assertTrue(exit.wallMillis() >= 400, exit.toString());
  }

  @Test
  void a_renewed_contact_deadline_keeps_the_task() {
    client.spawn(keeper.requests().leasedFor(4000).shell(keeper.key("kept"), "sleep 1000"));
    client.spawn(keeper.requests().leasedFor(4000).shell(keeper.key("left"), "sleep 1000"));

    client.renew(List.of(keeper.key("kept"), "unknown"), 60_000);
    keeper.awaitExit(client, keeper.key("left"));

    assertEquals(TaskView.State.RUNNING, view(keeper.key("kept")).state());
  }

  @Test
  void a_second_client_adopts_what_runs_and_is_told_of_its_end() throws IOException {
    SpawnAnswer answer = client.spawn(keeper.requests().shell(keeper.key("run"), "sleep 1000"));
    client.spawn(keeper.requests("done").shell(keeper.key("done"), "exit 4"));
    keeper.awaitExit(client, keeper.key("done"));
    client.close();
    keeper.exits.clear();

    KeeperClient second = keeper.client();
    Map<String, TaskView> seen =
        second.list().stream().collect(Collectors.toMap(TaskView::key, view -> view));

    assertEquals(((SpawnAnswer.Started) answer).pid(), seen.get(keeper.key("run")).pid());
    assertEquals(TaskView.State.RUNNING, seen.get(keeper.key("run")).state());
    assertEquals(new ExitStatus.Code(4), seen.get(keeper.key("done")).exit().status());
    second.kill(keeper.key("run"), 0);
    await().until(() -> keeper.exits.size() == 1);
    second.forget(List.of(keeper.key("done"), keeper.key("run")));
    assertEquals(List.of(), second.list());
  }

  @Test
  void a_program_that_gives_back_right_after_its_adoption_is_let_go() throws IOException {
    int self = (int) ProcessHandle.current().pid();
    for (int round = 0; round < 20; round++) {
      String key = keeper.key("lent" + round);
      Path folder = Files.createDirectory(keeper.folder.resolve("lent" + round));
      client.adopt(
          new DeviceHoldRequest(
              key, self, ProcFiles.stat(self).startTicks(), folder, List.of("GPU-" + round), 0),
          answer -> {});
      client.release(key);
      keeper.awaitExit(client, key);
    }
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void a_client_that_was_replaced_is_told_so_and_starts_nothing_more() throws IOException {
    KeeperClient second = keeper.client();
    SpawnRequest late = keeper.requests().shell(keeper.key("late"), "echo x > started");

    await().until(() -> keeper.disconnects.size() == 1);
    assertThrows(KeeperGoneException.class, () -> client.spawn(late));
    assertEquals(List.of(), second.list());
    assertInstanceOf(SpawnAnswer.Started.class, second.spawn(late));
    keeper.awaitExit(second, late.key());
    assertEquals("x\n", keeper.read("started"));
  }

  @Test
  void a_repeated_spawn_starts_nothing() throws IOException {
    SpawnRequest request =
        keeper.requests().shell(keeper.key("once"), "echo x >> count; sleep 0.2");
    client.spawn(request);

    SpawnAnswer again = client.spawn(request);
    assertEquals(keeper.key("once"), assertInstanceOf(SpawnAnswer.Known.class, again).task().key());
    keeper.awaitExit(client, request.key());
    assertInstanceOf(SpawnAnswer.Known.class, client.spawn(request));
    client.forget(List.of(request.key()));
    SpawnAnswer.Known fromFile =
        assertInstanceOf(SpawnAnswer.Known.class, client.spawn(request), "its exit is on disk");

    assertEquals(TaskView.State.EXITED, fromFile.task().state());
    assertEquals("x\n", keeper.read("count"));
  }

  @Test
  void stray_bytes_close_only_their_own_connection() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 60; i++) {
      byte[] bytes = new byte[1 + random.nextInt(300)];
      random.nextBytes(bytes);
      try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        channel.connect(UnixDomainSocketAddress.of(new KeeperFolder(keeper.node()).socket()));
        channel.write(ByteBuffer.wrap(bytes));
      }
    }

    assertEquals(List.of(), client.list());
    assertEquals(List.of(), keeper.disconnects);
  }

  @Test
  void a_keeper_of_another_version_is_refused_by_name() throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(new KeeperFolder(keeper.node()).socket()));
      channel.write(
          ByteBuffer.wrap(
              new KeeperFrameEncoder(KeeperProtocol.HELLO, 1)
                  .number(KeeperProtocol.MAGIC)
                  .number(99)
                  .frame()));
      ByteBuffer answer = ByteBuffer.allocate(200);
      channel.read(answer);
      KeeperFrameDecoder frame =
          new KeeperFrameDecoder(Arrays.copyOfRange(answer.array(), 4, answer.position()));

      assertEquals(KeeperProtocol.ERROR, frame.kind());
      assertEquals("keeper speaks version " + KeeperProtocol.VERSION + ", agent 99", frame.text());
    }
  }

  private TaskView view(String key) {
    return client.list().stream().filter(v -> v.key().equals(key)).findFirst().orElseThrow();
  }
}
