package io.remuda.agent.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.settings.TrainingCallers;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whom the port of trainings answers, with real sockets of another user of the machine. */
class TrainingCallersTest extends WithTrainings {

  private static final int OTHER_USER = 65_432;

  /** Connects, becomes that user before that, and prints the status. */
  private static final String REQUEST =
      """
      import encodings.idna, os, socket, sys
      os.setgid(%d); os.setuid(%d)
      source = ("127.0.0.2", int(sys.argv[3])) if len(sys.argv) > 3 else None
      with socket.create_connection(("127.0.0.1", int(sys.argv[1])), None, source) as server:
          server.sendall(sys.argv[2].encode())
          print(server.recv(1000).split()[1].decode())
      """
          .formatted(OTHER_USER, OTHER_USER);

  private static final String ROW =
      " 3: 0100007F:%s 0100007F:1F90 0%d 00000000:00000000 00:00000000 00000000  1000        0 %s 1";

  private static String request(String path, String body) {
    return (body.isEmpty() ? "GET " : "POST ")
        + path
        + "/"
        + ID
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  /** Requests as another user; {@code more} may have the port of 127.0.0.2 that it comes from. */
  private String asOtherUser(String path, String body, String... more) throws Exception {
    assumeTrue(ConnectionUserId.self() == 0, "skipped: only root can become another user");
    List<String> words = new ArrayList<>(List.of("python3", "-c", REQUEST));
    words.addAll(List.of("" + old("/").getPort(), request(path, body)));
    words.addAll(List.of(more));
    Process other =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String status = new String(other.getInputStream().readAllBytes()).strip();
      other.waitFor(60, TimeUnit.SECONDS);
      return status;
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void another_user_who_knows_the_id_neither_ends_epochs_nor_asks() throws Exception {
    assertEquals("403", asOtherUser("/end_epoch", "{\"done\": 4}"));
    assertEquals("403", asOtherUser("/profiling", profile("")));
    assertEquals("403", asOtherUser("/has_to_stop", ""));
    assertEquals(0, told.size());
    assertFalse(trainings.progress(ATTEMPT).isPresent(), "the training has not spoken");
    assertEquals(200, ends(1), "its own report");
  }

  @Test
  void the_port_of_an_open_connection_of_ours_helps_nobody_at_another_loopback_address()
      throws Exception {
    int port = old("/").getPort();
    try (Socket ours = new Socket("127.0.0.1", port)) {
      assertEquals("403", asOtherUser("/end_epoch", "{\"done\": 4}", "" + ours.getLocalPort()));
    }
    assertEquals(0, told.size());
  }

  @Test
  void refusals_that_repeat_are_logged_once() throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(TrainingServer.class);
    log.start();
    logger.addAppender(log);
    try {
      for (int each = 0; each < 3; each++) {
        assertEquals("403", asOtherUser("/has_to_stop", ""));
      }
    } finally {
      logger.detachAppender(log);
    }
    assertEquals(1, log.list.size(), log.list.toString());
  }

  @Test
  void another_user_is_answered_where_all_callers_are() throws Exception {
    trainings.close();
    callers = TrainingCallers.ANY;
    trainings = agent();
    trainings.adopt(ATTEMPT, folder);
    assertEquals("200", asOtherUser("/end_epoch", "{\"done\": 1}"));
  }

  @Test
  void a_row_of_another_connection_or_of_one_that_is_closed_names_nobody() {
    InetSocketAddress caller = new InetSocketAddress("127.0.0.1", 0xA0B1);
    InetSocketAddress here = new InetSocketAddress("127.0.0.1", 8080);
    String row = ROW.formatted("A0B1", 1, "4711");
    assertEquals(1000, ConnectionUserId.in(row, caller, here));
    assertNull(ConnectionUserId.in(ROW.formatted("A0B2", 1, "4711"), caller, here));
    assertNull(ConnectionUserId.in(row, caller, new InetSocketAddress("127.0.0.1", 8081)));
    assertNull(ConnectionUserId.in(row, new InetSocketAddress("127.0.0.2", 0xA0B1), here));
    assertNull(ConnectionUserId.in(ROW.formatted("A0B1", 6, "0"), caller, here), "in TIME_WAIT");
    assertNull(ConnectionUserId.in("  sl  local_address rem_address   st", caller, here));
    String both = "0000000000000000FFFF00000100007F";
    assertEquals(
        1000, ConnectionUserId.in(row.replace("0100007F", both), caller, here), "a socket of IPv6");
  }

  @Test
  void another_word_for_the_callers_is_refused_with_it() {
    assertEquals(
        "training-callers must be own or any, got 'all'",
        assertThrows(
                IllegalArgumentException.class,
                () -> TrainingCallers.from(ConfigFactory.parseString("training-callers = all")))
            .getMessage());
  }
}
