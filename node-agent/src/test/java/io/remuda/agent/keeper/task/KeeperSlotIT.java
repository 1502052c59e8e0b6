package io.remuda.agent.keeper.task;

import static io.remuda.agent.keeper.task.KeeperUnderTest.alive;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.protocol.KeeperClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests that wait for a slot: the keeper starts each when nothing is left of the one before. */
class KeeperSlotIT extends WithKeeper {
  private static final int SLOT = 7;

  private final List<String> answers = Collections.synchronizedList(new ArrayList<>());

  private SpawnRequest request(String name, String script) throws IOException {
    Path folder = Files.createDirectories(keeper.folder.resolve(name));
    SpawnRequest plain = Requests.in(folder).shell(keeper.key(name), script);
    return new SpawnRequest(
        plain.key(),
        plain.argv(),
        plain.environment(),
        keeper.folder.toString(),
        plain.stdout(),
        plain.stderr(),
        folder,
        List.of(),
        0,
        100,
        SpawnRequest.OWN_UMASK,
        SLOT,
        0,
        0);
  }

  private void spawn(String name, String script) throws IOException {
    spawn(client, name, script);
  }

  private void spawn(KeeperClient by, String name, String script) throws IOException {
    by.spawn(request(name, script), answer -> answers.add(name + " " + word(answer)));
  }

  private static String word(SpawnAnswer answer) {
    return answer instanceof SpawnAnswer.Refused refused
        ? refused.code().name()
        : answer.getClass().getSimpleName();
  }

  private List<String> keys() {
    return client.list().stream().map(TaskView::key).toList();
  }

  private void release() throws IOException {
    Files.writeString(keeper.folder.resolve("go"), "");
  }

  /** Waits for the test. */
  private static final String HOLD = "until [ -e go ]; do sleep 0.01; done; ";

  @Test
  void they_start_one_after_the_other_in_the_order_in_which_they_came() throws IOException {
    spawn("a", HOLD + "echo a begins >> order; sleep 0.1; echo a ends >> order");
    for (String name : List.of("b", "c", "d")) {
      spawn(name, "echo " + name + " begins >> order; echo " + name + " ends >> order");
    }
    await().until(() -> !answers.isEmpty());
    assertEquals(List.of(keeper.key("a")), keys());
    assertEquals(List.of("a Started"), answers);
    release();
    keeper.awaitExit(client, keeper.key("d"));
    assertEquals(
        "a begins,a ends,b begins,b ends,c begins,c ends,d begins,d ends",
        String.join(",", Files.readAllLines(keeper.folder.resolve("order"))));
    assertEquals(List.of("a Started", "b Started", "c Started", "d Started"), answers);
  }

  @Test
  void what_the_one_before_has_left_running_is_gone_first() throws IOException {
    spawn("a", "(trap '' TERM; setsid sh -c 'echo $$ > left; exec sleep 1000') & " + HOLD);
    int left = keeper.awaitPid("left");
    spawn("b", "kill -0 " + left + " && echo lives || echo gone");
    release();
    keeper.awaitExit(client, keeper.key("b"));
    assertEquals("gone\n", Files.readString(keeper.folder.resolve("b").resolve("out")));
    assertFalse(alive(left));
  }

  @Test
  void one_that_cannot_be_started_leaves_its_turn_to_the_next() throws IOException {
    spawn("a", HOLD);
    SpawnRequest wrong = request("b", "");
    client.spawn(
        new SpawnRequest(
            wrong.key(),
            List.of("/no/such/program"),
            wrong.environment(),
            wrong.workingFolder(),
            wrong.stdout(),
            wrong.stderr(),
            wrong.taskFolder(),
            List.of(),
            0,
            100,
            SpawnRequest.OWN_UMASK,
            SLOT,
            0,
            0),
        answer -> answers.add("b " + word(answer)));
    spawn("c", "true");
    release();
    keeper.awaitExit(client, keeper.key("c"));
    assertEquals(List.of("a Started", "b CANNOT_RUN", "c Started"), answers);
  }

  @Test
  void one_that_is_withdrawn_does_not_start_and_says_so() throws IOException {
    spawn("a", HOLD);
    spawn("b", "true");
    spawn("c", "true");
    await().until(() -> !answers.isEmpty());
    client.withdraw(keeper.key("b"));
    client.withdraw(keeper.key("a")); // it has begun
    client.list(); // by then the keeper has heard
    release();
    keeper.awaitExit(client, keeper.key("c"));
    assertEquals(List.of("a Started", "b NOT_BEGUN", "c Started"), answers);
    assertEquals(List.of(keeper.key("a"), keeper.key("c")), keys());
  }

  @Test
  void what_a_client_has_left_waiting_does_not_start_once_it_is_gone() throws IOException {
    KeeperClient other = keeper.client();
    spawn(other, "a", HOLD + "echo a >> order");
    spawn(other, "b", "echo b >> order");
    await().until(() -> other.list().size() == 1);
    long connected = keeper.sockets();
    other.close();
    await("that the keeper hears of it").until(() -> keeper.sockets() < connected);
    release();
    await().until(() -> Files.exists(keeper.folder.resolve("a").resolve("exit")));
    KeeperClient next = keeper.client(); // whose hello would drop what waits, too
    assertEquals(List.of(keeper.key("a")), next.list().stream().map(TaskView::key).toList());
    next.spawn(request("c", "echo c >> order"));
    keeper.awaitExit(next, keeper.key("c"));
    assertEquals("a,c", String.join(",", Files.readAllLines(keeper.folder.resolve("order"))));
  }

  @Test
  void one_whose_turn_comes_too_late_does_not_start() throws IOException {
    spawn("a", HOLD);
    spawn("b", "true");
    await().until(() -> answers.contains("a Started"));
    keeper.stopKeeper(); // for longer than a request holds
    await().pollDelay(Duration.ofMillis(2900)).until(() -> true);
    keeper.signalKeeper(Posix.SIGCONT);
    release();
    await().until(() -> answers.size() == 2);
    assertEquals("b NOT_BEGUN", answers.get(1));
    assertTrue(keys().contains(keeper.key("a")));
  }

  @Test
  void the_same_request_twice_starts_once() throws IOException {
    spawn("a", HOLD);
    spawn("b", "echo b >> order");
    spawn("b", "echo b >> order");
    release();
    await().until(() -> answers.size() == 3);
    keeper.awaitExit(client, keeper.key("b"));
    assertEquals(List.of("a Started", "b Started", "b Known"), answers);
    assertEquals("b", String.join(",", Files.readAllLines(keeper.folder.resolve("order"))));
  }

  @Test
  void a_keeper_that_is_slow_is_not_flooded_and_starts_all() throws IOException {
    String large = "x".repeat(100_000); // together more than a connection holds back
    List<SpawnRequest> requests = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      SpawnRequest plain = keeper.requests("n" + i).run(keeper.key("n" + i), "/bin/true");
      requests.add(
          new SpawnRequest(
              plain.key(),
              plain.argv(),
              Map.of("LARGE", large),
              keeper.folder,
              plain.stdout(),
              plain.stderr(),
              plain.taskFolder(),
              List.of(),
              0,
              100));
    }
    KeeperClient patient = keeper.client(Duration.ofSeconds(60)); // so that none is too late
    keeper.stopKeeper();
    requests.forEach(one -> patient.spawn(one, answer -> answers.add(word(answer))));
    keeper.signalKeeper(Posix.SIGCONT);
    await().until(() -> answers.size() == requests.size());
    assertEquals(1, keeper.disconnects.size(), "of the client that was replaced");
    assertEquals(requests.size(), Collections.frequency(answers, "Started"), answers.toString());
  }
}
