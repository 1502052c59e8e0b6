package io.remuda.agent.keeper.protocol;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.KeeperUnresponsiveException;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.task.Requests;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client whose keeper is the test: it refuses every start, slowly, and at last says nothing. */
@Timeout(120)
class KeeperClientTest {
  private static final int STARTS = 12;
  private static final Duration TIMEOUT = Duration.ofMillis(500);
  private static final Duration PAUSE = TIMEOUT.dividedBy(4);

  @TempDir private Path folder;
  private final List<SpawnAnswer> answers = new CopyOnWriteArrayList<>();
  private final List<Throwable> ends = new CopyOnWriteArrayList<>();
  private ServerSocketChannel door;
  private KeeperClient client;
  private volatile KeeperProcessHandle.State state = KeeperProcessHandle.State.STOPPED;
  private volatile long silentMillis;

  @BeforeEach
  void connect() throws IOException {
    Path socket = folder.resolve("s");
    door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    door.bind(UnixDomainSocketAddress.of(socket));
    Thread keeper = new Thread(this::keep, "slow-keeper");
    keeper.setDaemon(true);
    keeper.start();
    client =
        KeeperClient.connect(
            socket,
            new KeeperClient.Listener() {
              @Override
              public void exited(TaskView task) {}

              @Override
              public void silent(long millis) {
                silentMillis = millis;
              }

              @Override
              public void disconnected(Throwable cause) {
                ends.add(cause);
              }
            },
            TIMEOUT,
            () -> state);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    door.close();
  }

  private void keep() {
    try (SocketChannel channel = door.accept()) {
      DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
      KeeperFrameDecoder hello = next(in);
      answer(
          channel,
          new KeeperFrameEncoder(KeeperProtocol.WELCOME, hello.id())
              .number(KeeperProtocol.VERSION)
              .frame());
      for (int i = 0; i < STARTS; i++) {
        int id = nextStart(channel, in).id();
        Thread.sleep(PAUSE.toMillis()); // as a start in a folder on a slow disk
        String code = RefusalCode.NOT_BEGUN.name();
        answer(
            channel,
            new KeeperFrameEncoder(KeeperProtocol.REFUSED, id).text(code).text("slow").frame());
      }
      in.readAllBytes();
    } catch (IOException | InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next start; templates before it are acknowledged. */
  private static KeeperFrameDecoder nextStart(SocketChannel channel, DataInputStream in)
      throws IOException {
    KeeperFrameDecoder frame = next(in);
    while (frame.kind() == KeeperProtocol.TEMPLATE) {
      answer(channel, new KeeperFrameEncoder(KeeperProtocol.DONE, frame.id()).frame());
      frame = next(in);
    }
    return frame;
  }

  private static KeeperFrameDecoder next(DataInputStream in) throws IOException {
    return new KeeperFrameDecoder(in.readNBytes(in.readInt()));
  }

  private static void answer(SocketChannel channel, byte[] frame) throws IOException {
    channel.write(ByteBuffer.wrap(frame));
  }

  private void spawn() {
    client.spawn(Requests.in(folder).run("k/1", "/bin/true"), answers::add);
  }

  @Test
  void a_keeper_that_is_slow_with_many_starts_is_not_given_up() {
    IntStream.range(0, STARTS).forEach(i -> spawn());
    await().until(() -> answers.size() == STARTS || !ends.isEmpty());
    assertEquals(List.of(), ends, "it has answered all the time");
  }

  @Test
  void a_keeper_that_was_stopped_is_given_up_when_a_contact_deadline_has_passed() {
    IntStream.range(0, STARTS + 1).forEach(i -> spawn());
    client.renew(List.of("k/1"), 1); // a contact deadline that it does not watch
    await().atMost(Duration.ofSeconds(60)).until(() -> !ends.isEmpty());
    assertEquals(STARTS, answers.size());
    assertInstanceOf(KeeperUnresponsiveException.class, ends.get(0));
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-disk")
  void a_keeper_that_lives_and_says_nothing_is_not_given_up() {
    state = KeeperProcessHandle.State.LIVES;
    IntStream.range(0, STARTS + 1).forEach(i -> spawn());
    await().until(() -> silentMillis > 3 * TIMEOUT.toMillis() || !ends.isEmpty());
    assertEquals(List.of(), ends, "a disk that stands still is no reason to end all tasks");
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-disk")
  void one_that_is_to_end_a_task_and_says_nothing_for_long_is_given_up() {
    state = KeeperProcessHandle.State.LIVES;
    IntStream.range(0, STARTS).forEach(i -> spawn());
    client.kill("k/1", 0);
    await().atMost(Duration.ofSeconds(25)).until(() -> !ends.isEmpty());
    assertInstanceOf(KeeperUnresponsiveException.class, ends.get(0));
    assertTrue(silentMillis > 5 * TIMEOUT.toMillis(), "it had time");
  }

  @Test
  void one_that_is_gone_is_noticed_though_its_socket_is_held_open_by_another() {
    state = KeeperProcessHandle.State.GONE;
    IntStream.range(0, STARTS + 1).forEach(i -> spawn());
    await().until(() -> !ends.isEmpty());
    assertFalse(ends.get(0) instanceof KeeperUnresponsiveException, ends::toString);
  }
}
