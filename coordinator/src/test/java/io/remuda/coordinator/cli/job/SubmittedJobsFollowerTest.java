package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code remuda submit --wait} shows. */
@Timeout(60)
class SubmittedJobsFollowerTest {
  private static final String ONE_TASK = "\"tasks\":1,\"terms\":{}";
  private static final String ROLES =
      "\"tasks\":11,\"terms\":{\"members\":{\"roles\":["
          + "{\"name\":\"Master\",\"count\":1,\"completions\":1},"
          + "{\"name\":\"Worker\",\"count\":10,\"completions\":1}]}}";

  private final StringWriter states = new StringWriter();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(0);
  private FakeServer server;

  /** Standard output, which lets {@link #begun} pass once the second job has printed. */
  private final ByteArrayOutputStream out =
      new ByteArrayOutputStream() {
        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
          super.write(bytes, from, length);
          if (toString(StandardCharsets.UTF_8).contains("second")) {
            begun.countDown();
          }
        }
      };

  @BeforeEach
  void serve() throws IOException {
    server = new FakeServer();
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void a_server_that_is_away_is_waited_for_by_the_clock_and_not_by_the_number_of_tries()
      throws Exception {
    RestClient gone = server.client();
    server.close();
    ReturningServer away = new ReturningServer(gone, () -> gone, Duration.ZERO);
    long begin = System.nanoTime();
    assertThrows(RestFailureException.class, () -> away.get("/jobs/1"));
    assertThrows(RestFailureException.class, () -> new OutputFollower("1", null).follow(away));
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(30).toNanos()); // not 2 minutes
  }

  private SubmittedJobsFollower jobs(RestClient first, ReturningServer.ServerFinder finder) {
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new SubmittedJobsFollower(
        new ReturningServer(first, finder),
        to,
        to,
        new PrintWriter(states),
        SubmittedJobsFollower.States.SHOWN);
  }

  private SubmittedJobsFollower jobs() {
    return jobs(server.client(), server::client);
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void a_line_is_behind_the_rank_of_its_member() throws Exception {
    server.job(1, "\"tasks\":3,\"terms\":{}").prints(1, 2, "hello\n", open, "succeeded");
    assertEquals(0, jobs().exitCode(List.of("1")));
    assertEquals(List.of("[2] hello"), lines());
    assertTrue(states.toString().contains("remuda: [0] running"), states.toString());
    assertTrue(states.toString().contains("job 1 succeeded"), states.toString());
  }

  @Test
  void with_roles_the_role_and_the_number_in_it_follow_the_rank() throws Exception {
    server.job(1, ROLES).prints(1, 3, "hello\n", open, "failed");
    assertEquals(FakeServer.FAILED, jobs().exitCode(List.of("1")));
    assertEquals(List.of("[3 Worker-2]  hello"), lines());
  }

  /** The first ends only after the second has printed. */
  @Test
  void several_jobs_are_shown_at_once_each_line_behind_its_job_and_task() throws Exception {
    server.job(1, ONE_TASK).prints(1, 0, "first\n", begun, "succeeded");
    server.job(2, ONE_TASK).prints(2, 0, "second\n", open, "succeeded");
    assertEquals(0, jobs().exitCode(List.of("1", "2")));
    assertEquals(List.of("[1.0] first", "[2.0] second"), List.copyOf(new TreeSet<>(lines())));
  }

  @Test
  void all_must_succeed() throws Exception {
    server.job(1, ONE_TASK).prints(1, 0, "first\n", open, "cancelled");
    server.job(2, ONE_TASK).prints(2, 0, "second\n", open, "succeeded");
    assertEquals(1, jobs().exitCode(List.of("1", "2")));
  }

  @Test
  void the_exit_code_is_that_of_a_single_job() throws Exception {
    server.job(1, ONE_TASK).prints(1, 0, "first\n", open, "failed");
    server.job(2, ONE_TASK).prints(2, 0, "second\n", open, "succeeded");
    assertEquals(FakeServer.FAILED, jobs().exitCode(List.of("1")));
    assertEquals(1, jobs().exitCode(List.of("1", "2")));
  }

  @Test
  void a_server_that_comes_back_at_another_address_is_found() throws Exception {
    RestClient gone = server.client();
    server.close();
    server = new FakeServer().job(1, ONE_TASK).prints(1, 0, "found\n", open, "succeeded");
    AtomicInteger looks = new AtomicInteger();
    ReturningServer.ServerFinder finder =
        () -> {
          looks.incrementAndGet();
          return server.client();
        };
    assertEquals(0, jobs(gone, finder).exitCode(List.of("1")));
    assertEquals(List.of("[0] found"), lines());
    assertEquals(1, looks.get());
  }
}
