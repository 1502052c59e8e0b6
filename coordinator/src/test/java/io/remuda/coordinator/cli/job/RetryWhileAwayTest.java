package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestFailureException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryWhileAwayTest {
  private static final RestFailureException AWAY =
      new RestFailureException(RestFailureException.NO_SERVER, "away");

  private final StringWriter said = new StringWriter();
  private long waited;
  private final RetryWhileAway retryWhileAway =
      retrying(200, RequestEnd.NONE, Duration.ofMinutes(1));

  private RetryWhileAway retrying(int nodeTries, RequestEnd end, Duration longest) {
    return new RetryWhileAway(
        new PrintWriter(said), millis -> waited += millis, nodeTries, end, longest);
  }

  private String ask(Object... answers) throws IOException, InterruptedException {
    return ask(retryWhileAway, answers);
  }

  private static String ask(RetryWhileAway retry, Object... answers)
      throws IOException, InterruptedException {
    Deque<Object> left = new ArrayDeque<>(List.of(answers));
    return retry.ask(
        () -> {
          Object next = left.poll();
          if (next instanceof IOException fault) {
            throw fault;
          }
          return (String) next;
        });
  }

  @Test
  void a_server_that_has_answered_is_waited_for() throws Exception {
    assertEquals("one", ask("one"));
    assertEquals(
        "two", ask(AWAY, new IOException("cut"), new RestFailureException(502, "no node"), "two"));
    assertEquals(
        "remuda: the server or the node is away; waiting for it to come back",
        said.toString().strip());
  }

  @Test
  void one_that_never_answered_is_not() {
    assertEquals(AWAY, assertThrows(RestFailureException.class, () -> ask(AWAY, "one")));
    assertEquals(0, waited);
  }

  @Test
  void nor_is_one_that_does_not_come_back_in_a_minute() throws Exception {
    assertEquals("one", ask("one"));
    Object[] away = Collections.nCopies(1000, AWAY).toArray();
    assertEquals(AWAY, assertThrows(RestFailureException.class, () -> ask(away)));
    assertEquals(60, waited / 1000, 1);
  }

  @Test
  void nor_is_one_of_which_each_try_takes_long() throws Exception {
    RetryWhileAway slow = retrying(200, RequestEnd.NONE, Duration.ZERO);
    assertEquals("one", ask(slow, "one"));
    Object[] away = Collections.nCopies(1000, AWAY).toArray();
    assertEquals(AWAY, assertThrows(RestFailureException.class, () -> ask(slow, away)));
    assertEquals(300, waited);
  }

  @Test
  void nothing_is_repeated_after_the_end() throws Exception {
    RetryWhileAway over = retrying(200, RequestEnd.in(Duration.ZERO), Duration.ofMinutes(1));
    assertEquals("one", ask(over, "one"));
    assertEquals(AWAY, assertThrows(RestFailureException.class, () -> ask(over, AWAY, "two")));
    assertEquals(0, waited);
  }

  @Test
  void a_refusal_is_an_answer() throws Exception {
    assertEquals("one", ask("one"));
    RestFailureException no = new RestFailureException(404, "no such job");
    assertEquals(no, assertThrows(RestFailureException.class, () -> ask(no, "two")));
  }

  @Test
  void a_node_may_be_waited_for_less_long_than_the_server() throws Exception {
    RetryWhileAway ofServer = retrying(3, RequestEnd.NONE, Duration.ofMinutes(1));
    assertEquals("one", ask(ofServer, "one"));
    RestFailureException no = new RestFailureException(502, "no node");
    assertEquals("two", ask(ofServer, AWAY, AWAY, AWAY, "two"));
    assertEquals("three", ask(ofServer, no, no, "three"));
    assertEquals(
        no, assertThrows(RestFailureException.class, () -> ask(ofServer, no, no, no, "four")));
  }
}
