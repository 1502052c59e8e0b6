package io.remuda.agent.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.ChannelExchangeRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection to a port with a real socket. */
class PortChannelTest {

  private static final int SOON_MILLIS = 10_000;

  private final AtomicLong clock = new AtomicLong();
  private ServerSocket listener;

  @BeforeEach
  void listen() throws IOException {
    listener = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
    listener.setSoTimeout(SOON_MILLIS);
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  private static ChannelExchangeRequest ask(long offset, String text, boolean end) {
    return new ChannelExchangeRequest(
        "c", "port:1", offset, text.getBytes(StandardCharsets.UTF_8), end, -1, 0, 0, false);
  }

  /** Pumps until the channel has so many bytes, or is over. */
  private static byte[] pumped(ResumableChannel channel, int count) throws Exception {
    long until = System.nanoTime() + SOON_MILLIS * 1_000_000L;
    while (channel.part(0).bytes().length < count && !channel.isOver()) {
      channel.pump();
      assertTrue(System.nanoTime() < until, "nothing comes");
      Thread.sleep(1);
    }
    return channel.part(0).bytes();
  }

  /** Returns why there is no connection: the kernel may say so at once, or a little later. */
  private IOException refusal(int port) {
    return assertThrows(
        IOException.class,
        () -> {
          ResumableChannel channel = new ResumableChannel(PortChannel.connect(port, clock::get), 0);
          channel.write(ask(0, "lost", true));
          pumped(channel, 1);
        });
  }

  @Test
  void bytes_go_both_ways_and_each_side_hears_the_end_of_the_other() throws Exception {
    ResumableChannel channel =
        new ResumableChannel(PortChannel.connect(listener.getLocalPort(), clock::get), 0);
    try (Socket program = listener.accept()) {
      program.setSoTimeout(SOON_MILLIS);
      channel.write(ask(0, "GET", false));
      channel.write(ask(0, "GET /", true)); // the answer was lost
      assertEquals("GET /", new String(program.getInputStream().readAllBytes()));
      program.getOutputStream().write("found".getBytes(StandardCharsets.UTF_8));
      assertArrayEquals("found".getBytes(StandardCharsets.UTF_8), pumped(channel, 5));
    }
    pumped(channel, Integer.MAX_VALUE);
    assertTrue(channel.isOver());
    assertTrue(channel.state().ended());
  }

  @Test
  void the_end_of_the_task_breaks_its_connections() throws Exception {
    ResumableChannel channel =
        new ResumableChannel(PortChannel.connect(listener.getLocalPort(), clock::get), 0);
    try (Socket program = listener.accept()) {
      program.setSoTimeout(SOON_MILLIS);
      channel.attemptEnded();
      assertEquals(-1, program.getInputStream().read());
      channel.pump();
      assertTrue(channel.isOver());
    }
  }

  @Test
  void a_port_without_a_listener_is_a_clear_refusal() throws IOException {
    int port = listener.getLocalPort();
    listener.close();
    IOException refused = refusal(port);
    assertEquals(
        "nothing listens on port " + port + " of its node's loopback (127.0.0.1)",
        refused.getMessage());
    assertThrows(IOException.class, () -> PortChannel.connect(0, clock::get));
    assertThrows(IOException.class, () -> PortChannel.connect(65_536, clock::get));
  }

  @Test
  void a_program_that_accepts_later_gets_what_was_written_meanwhile() throws Exception {
    try (BusyPort busy = BusyPort.open()) {
      ResumableChannel channel =
          new ResumableChannel(PortChannel.connect(busy.number(), clock::get), 0);
      ChannelExchangeRequest ask = ask(0, "GET /", true);
      channel.write(ask);
      channel.pump();
      assertFalse(channel.hasTaken(ask), "nobody has accepted it");
      try (Socket program = busy.acceptNext()) {
        long until = System.nanoTime() + 6 * SOON_MILLIS * 1_000_000L;
        while (!channel.hasTaken(ask)) {
          channel.write(ask);
          assertTrue(System.nanoTime() < until, "it is not accepted");
          Thread.sleep(1);
        }
        assertEquals("GET /", new String(program.getInputStream().readAllBytes()));
      }
    }
  }

  @Test
  void a_program_that_accepts_nothing_is_named_after_ten_seconds_and_keeps_nobody_waiting()
      throws Exception {
    try (BusyPort busy = BusyPort.open()) {
      ResumableChannel channel =
          new ResumableChannel(PortChannel.connect(busy.number(), clock::get), 0);
      channel.pump();
      assertFalse(channel.isOver());
      clock.addAndGet(PortChannel.MOST_WAIT.toNanos() + 1);
      IOException refused = assertThrows(IOException.class, channel::pump);
      assertEquals(
          "what listens on port "
              + busy.number()
              + " of its node's loopback accepts no connection: none in 10 s",
          refused.getMessage());
      channel.pump();
      assertTrue(channel.isOver());
    }
  }

  @Test
  void an_address_of_another_interface_is_not_reached() throws IOException {
    listener.close();
    try (ServerSocket elsewhere = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.2"))) {
      refusal(elsewhere.getLocalPort());
    }
  }
}
