package io.remuda.agent.keeper.protocol;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection over a real socket; the other side is the test itself, which may not read. */
@Timeout(120)
class KeeperConnectionTest {
  private static final int LARGE = 1 << 20;

  @TempDir private Path folder;
  private SocketChannel other;
  private KeeperConnection connection;
  private final Heard heard = new Heard();

  private static final class Heard implements KeeperConnection.Handler {
    private final List<Integer> lengths = new ArrayList<>();
    private int ticks;
    private Throwable closedBy;
    private int closes;
    private volatile Error fault;

    @Override
    public synchronized void frame(byte[] frame) {
      if (fault != null) {
        throw fault;
      }
      lengths.add(frame.length);
    }

    @Override
    public synchronized void tick() {
      ticks++;
    }

    @Override
    public synchronized void closed(Throwable cause) {
      closedBy = cause;
      closes++;
    }

    synchronized boolean isClosed() {
      return closedBy != null;
    }

    synchronized int ticks() {
      return ticks;
    }

    synchronized List<Integer> lengths() {
      return List.copyOf(lengths);
    }
  }

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(folder.resolve("s")));
      other = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("s")));
      connection = new KeeperConnection(server.accept(), heard);
    }
    connection.start("test", 1);
  }

  @AfterEach
  void close() throws IOException {
    other.close();
    connection.close(new IOException("over"));
  }

  private static byte[] frame(int length, byte fill) {
    byte[] frame = new byte[Integer.BYTES + length];
    java.util.Arrays.fill(frame, fill);
    ByteBuffer.wrap(frame).putInt(0, length);
    return frame;
  }

  private void assertNext(int length, byte fill) throws IOException {
    assertEquals(length, read(Integer.BYTES).getInt());
    ByteBuffer body = read(length);
    while (body.hasRemaining()) {
      assertEquals(fill, body.get());
    }
  }

  private ByteBuffer read(int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      assertTrue(other.read(bytes) >= 0, "closed");
    }
    return bytes.flip();
  }

  @Test
  void who_sends_does_not_wait_for_one_who_does_not_read_and_all_comes_in_order() throws Exception {
    for (byte i = 1; i <= 5; i++) {
      connection.send(frame(LARGE, i));
      connection.send(frame(10, i));
    }
    for (byte i = 1; i <= 5; i++) {
      assertNext(LARGE, i);
      assertNext(10, i);
    }
    connection.flush(10_000);
    connection.send(frame(1, (byte) 7));
    assertNext(1, (byte) 7);
  }

  @Test
  void what_is_sent_together_goes_out_at_the_end_in_one_call() throws IOException {
    other.configureBlocking(false);
    ByteBuffer bytes = ByteBuffer.allocate(100);
    List<Integer> before = new ArrayList<>();
    connection.together(
        () -> {
          connection.send(frame(10, (byte) 1));
          connection.send(frame(20, (byte) 2));
          before.add(readNow(bytes));
        });
    assertEquals(List.of(0), before);
    assertEquals(2 * Integer.BYTES + 30, other.read(bytes));
  }

  private int readNow(ByteBuffer bytes) {
    try {
      return other.read(bytes);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Test
  void a_fault_in_a_step_keeps_nothing_back() throws IOException {
    assertThrows(
        IllegalStateException.class,
        () ->
            connection.together(
                () -> {
                  connection.send(frame(1, (byte) 1));
                  throw new IllegalStateException();
                }));
    assertNext(1, (byte) 1);
    connection.send(frame(2, (byte) 2));
    assertNext(2, (byte) 2);
  }

  @Test
  void one_who_never_reads_is_given_up() {
    for (int i = 0; i < 10; i++) {
      connection.send(frame(LARGE, (byte) 1));
    }
    await().until(heard::isClosed);
    assertEquals("the other side does not read", heard.closedBy.getMessage());
  }

  @Test
  void frames_are_heard_while_the_other_side_does_not_read() throws IOException {
    for (int i = 0; i < 5; i++) {
      connection.send(frame(LARGE, (byte) 1));
    }
    other.write(ByteBuffer.wrap(frame(3, (byte) 2)));
    await().until(() -> heard.lengths().equals(List.of(3)));
  }

  @Test
  void the_end_of_the_other_side_is_told_once_and_words_after_it_are_dropped() throws IOException {
    other.close();
    await().until(heard::isClosed);
    connection.send(frame(1, (byte) 1));
    connection.close(new IOException("again"));
    assertEquals("closed by the other side", heard.closedBy.getMessage());
    assertEquals(1, heard.closes);
  }

  @Test
  void a_fault_in_what_hears_ends_the_connection() throws IOException {
    heard.fault = new StackOverflowError("deep");
    other.write(ByteBuffer.wrap(frame(3, (byte) 2)));
    await().until(heard::isClosed);
    assertEquals("deep", heard.closedBy.getMessage());
  }

  @Test
  void it_ticks_while_nothing_comes() {
    await().until(() -> heard.ticks() > 2);
  }
}
