package io.remuda.coordinator.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.row.JobNotice;
import io.remuda.coordinator.store.row.NoticeRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Notices leave the store once their receivers were told. */
@Timeout(60)
class NoticeSenderTest {

  @TempDir private Path folder;
  private final BlockingQueue<String> posted = new LinkedBlockingQueue<>();
  private final ActorTestKit kit = ActorTestKit.create();
  private final AtomicLong clock = new AtomicLong();
  private volatile int answer = 200;
  private HttpServer server;
  private StoreOpener.Opened store;

  @BeforeEach
  void open() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          posted.add(new String(body, StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    server.start();
    store = StoreOpener.open(folder, Clock.systemUTC());
  }

  @AfterEach
  void close() throws Exception {
    kit.shutdownTestKit();
    store.journal().close();
    server.stop(0);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  private void due(long number, String to) throws Exception {
    due(List.of(notice(number, to, "ann")));
  }

  private void due(List<NoticeRow> notices) throws Exception {
    CountDownLatch durable = new CountDownLatch(1);
    List<StoreChange> changes = new ArrayList<>();
    notices.forEach(notice -> changes.add(new StoreChange.NoticeDue(notice)));
    store.journal().append(changes, durable::countDown);
    assertTrue(durable.await(60, TimeUnit.SECONDS));
  }

  private static NoticeRow notice(long number, String to, String user) {
    return new NoticeRow(
        number,
        RowMapping.json(
            new JobNotice(
                to, "end", 1000, 7, "train", user, "failed", "exit code 3", 3, 1, 500, 600, 1000)));
  }

  /** Returns an address at which nobody listens. */
  private static String nobody() throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "http://127.0.0.1:" + free.getLocalPort() + "/";
    }
  }

  private void start(String... mailer) throws Exception {
    kit.spawn(
        NoticeSender.create(store.store().reader(), store.journal(), List.of(mailer), clock::get));
  }

  private List<Long> left() throws Exception {
    return store.store().reader().query("SELECT number FROM notices", row -> row.getLong(1));
  }

  private void awaitNone() throws Exception {
    while (!left().isEmpty()) {
      Thread.sleep(20);
    }
  }

  @Test
  void a_url_gets_json_and_the_notice_leaves_the_store() throws Exception {
    due(1, url());
    start();
    String body = posted.poll(60, TimeUnit.SECONDS);
    assertEquals(
        "{\"event\":\"end\",\"at\":\"1970-01-01T00:00:01Z\",\"job\":7,\"name\":\"train\","
            + "\"user\":\"ann\",\"state\":\"failed\",\"reason\":\"exit code 3\",\"exitCode\":3,"
            + "\"tasks\":1,\"submitted\":\"1970-01-01T00:00:00.500Z\","
            + "\"started\":\"1970-01-01T00:00:00.600Z\",\"ended\":\"1970-01-01T00:00:01Z\"}",
        body);
    awaitNone();
    assertEquals(0, posted.size());
  }

  @Test
  void what_the_receiver_refuses_is_kept_and_sent_by_the_next_server() throws Exception {
    answer = 500;
    due(1, url());
    start();
    posted.poll(60, TimeUnit.SECONDS);
    kit.shutdownTestKit();
    store.journal().close();
    answer = 200;
    store = StoreOpener.open(folder, Clock.systemUTC());
    assertEquals(List.of(1L), left());
    ActorTestKit next = ActorTestKit.create();
    try {
      next.spawn(
          NoticeSender.create(store.store().reader(), store.journal(), List.of(), clock::get));
      assertTrue(posted.poll(60, TimeUnit.SECONDS).contains("\"job\":7"));
      awaitNone();
    } finally {
      next.shutdownTestKit();
    }
  }

  @Test
  void more_notices_than_are_sent_at_once_are_all_sent() throws Exception {
    for (int number = 1; number <= 40; number++) {
      due(number, url());
    }
    start();
    awaitNone();
    assertEquals(40, posted.size());
  }

  @Test
  void a_notice_behind_thousands_of_another_user_that_cannot_be_sent_is_sent() throws Exception {
    List<NoticeRow> flood = new ArrayList<>();
    for (int number = 1; number <= 2500; number++) {
      flood.add(notice(number, nobody(), "eve"));
    }
    due(flood);
    due(3000, url());
    start(); // time stands still: what pauses is not due again
    assertTrue(posted.poll(60, TimeUnit.SECONDS).contains("\"user\":\"ann\""));
    due(3001, url());
    assertTrue(posted.poll(60, TimeUnit.SECONDS).contains("\"user\":\"ann\""));
  }

  @Test
  void a_receiver_that_accepts_and_does_not_answer_delays_nobody() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 200, InetAddress.getLoopbackAddress())) {
      List<NoticeRow> flood = new ArrayList<>();
      for (int number = 1; number <= 100; number++) {
        flood.add(notice(number, "http://127.0.0.1:" + silent.getLocalPort() + "/", "eve"));
      }
      due(flood);
      start();
      silent.accept(); // the first of them are under way
      due(101, url());
      assertTrue(posted.poll(60, TimeUnit.SECONDS).contains("\"user\":\"ann\""));
      assertEquals(100, left().stream().filter(number -> number <= 100).count());
    }
  }

  @Test
  void a_damaged_row_does_not_stop_the_others() throws Exception {
    due(1, url());
    due(2, url());
    store.journal().close();
    try (Connection direct =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("state.db"));
        Statement statement = direct.createStatement()) {
      statement.execute("UPDATE notices SET content = 'no JSON' WHERE number = 1");
    }
    store = StoreOpener.open(folder, Clock.systemUTC());
    start();
    assertTrue(posted.poll(60, TimeUnit.SECONDS).contains("\"job\":7"));
    while (!left().equals(List.of(1L))) {
      Thread.sleep(20);
    }
  }

  @Test
  void one_that_cannot_be_sent_is_tried_again_after_its_pause() throws Exception {
    answer = 500;
    due(1, url());
    start();
    posted.poll(60, TimeUnit.SECONDS);
    answer = 200;
    while (!left().isEmpty()) {
      clock.addAndGet(TimeUnit.SECONDS.toNanos(5));
      Thread.sleep(20);
    }
  }

  @Test
  void a_program_gets_its_words_unread_by_a_shell_and_the_json_as_input() throws Exception {
    Path out = folder.resolve("out");
    Path tee = Path.of("/usr/bin/tee");
    due(1, tee + " " + out + " " + folder + "/$HOME");
    start();
    awaitNone();
    assertTrue(Files.readString(out).contains("\"state\":\"failed\""));
    assertTrue(Files.exists(folder.resolve("$HOME")));
  }

  @Test
  void a_mail_is_what_the_mailer_reads() throws Exception {
    Path out = folder.resolve("mail");
    due(1, "ann@example.org");
    start("/usr/bin/tee", out.toString());
    awaitNone();
    String mail = Files.readString(out);
    assertTrue(
        mail.startsWith("To: ann@example.org\nSubject: remuda: job 7 (train) failed\n"), mail);
  }
}
