package io.remuda.coordinator.main;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers within another program, which is this test; they have no agent. */
@Timeout(300)
class EmbeddedServerIT {
  private static final int IN_USE = 4;

  /** Stays when the test is over, since this process goes on to use its libraries. */
  private static final Path CACHE = Path.of("target", "embedded-cache").toAbsolutePath();

  @TempDir private Path folder;
  private final List<Server> all = new ArrayList<>();

  /** What a command has printed, and its exit code. */
  private record Done(int code, String out, String err) {}

  private Done run(String home, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Map<String, String> environment =
        Map.of(
            "REMUDA_HOME", folder.resolve(home).toString(),
            "REMUDA_CACHE", CACHE.toString(),
            "PATH", "/usr/bin:/bin");
    int code = RemudaProgram.run(List.of(words), environment, folder, null, out, err);
    return new Done(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** A server or an agent on a thread of its own. */
  private final class Server {
    private final String home;
    private final CompletableFuture<Done> end = new CompletableFuture<>();
    private final Thread thread;

    private Server(String home, String... words) {
      this.home = home;
      this.thread = new Thread(() -> end.complete(run(home, words)), home);
      thread.start();
    }

    private Server started() {
      await()
          .atMost(120, TimeUnit.SECONDS)
          .pollInSameThread()
          .until(() -> end.isDone() || run(home, "state").code() == 0);
      assertFalse(end.isDone(), () -> end.join().toString());
      return this;
    }

    private Done ended() throws Exception {
      return end.get(120, TimeUnit.SECONDS);
    }
  }

  private Server serve(String home) throws IOException {
    return begin(home, "serve", "--no-agent");
  }

  private Server begin(String home, String... words) throws IOException {
    Files.createDirectories(CACHE);
    Server server = new Server(home, words);
    all.add(server);
    return server;
  }

  @AfterEach
  void end() throws Exception {
    for (Server server : all) {
      server.thread.interrupt();
      server.ended();
    }
  }

  @Test
  void two_servers_at_once_have_each_its_own_jobs() throws Exception {
    Server one = serve("one");
    Server two = serve("two");
    one.started();
    two.started();
    assertEquals("1\n", run("one", "submit", "--name", "first", "--", "true").out());
    assertEquals("1\n", run("two", "submit", "--name", "second", "--", "true").out());
    assertTrue(run("one", "state").out().contains("first"));
    assertFalse(run("one", "state").out().contains("second"));
    Done stopped = run("one", "stop", "--now");
    assertEquals(0, stopped.code(), stopped::toString);
    assertEquals(0, one.ended().code(), () -> one.end.join().toString());
    assertEquals(0, run("two", "state").code(), "the other one goes on");
  }

  @Test
  void an_interrupt_ends_a_server_and_frees_its_folder_for_the_next() throws Exception {
    Server first = serve("home").started();
    run("home", "submit", "--name", "kept", "--", "true");
    Done refused = run("home", "serve", "--no-agent");
    assertEquals(IN_USE, refused.code(), refused::toString);
    first.thread.interrupt();
    assertEquals(0, first.ended().code(), () -> first.end.join().toString());
    serve("home").started();
    assertTrue(run("home", "state").out().contains("kept"));
  }

  /** Its socket takes no interrupt, and the server says something now and then. */
  @Test
  void an_interrupt_ends_a_command_that_follows_a_job() throws Exception {
    serve("home").started();
    Server follower = begin("home", "run", "--", "true"); // there is no node for it
    await()
        .atMost(120, TimeUnit.SECONDS)
        .pollInSameThread()
        .until(
            () ->
                Stream.of(follower.thread.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().endsWith("EventReader")));
    follower.thread.interrupt();
    assertNotEquals(0, follower.ended().code());
  }

  private void awaitNode(String state) {
    await()
        .atMost(120, TimeUnit.SECONDS)
        .pollInSameThread()
        .until(
            () -> run("home", "nodes", "--json").out().contains("\"state\" : \"" + state + "\""));
  }

  @Test
  void an_interrupt_ends_an_agent_and_frees_its_folder_for_the_next() throws Exception {
    serve("home").started();
    Server first = begin("home", "agent", "--name", "n1");
    awaitNode("ready");
    Done refused = run("home", "agent", "--name", "n1");
    assertEquals(1, refused.code(), refused::toString);
    assertTrue(refused.err().contains("another agent (process "), refused::toString);
    first.thread.interrupt();
    assertEquals(0, first.ended().code(), () -> first.end.join().toString());
    awaitNode("silent");
    Server next = begin("home", "agent", "--name", "n1");
    awaitNode("ready");
    next.thread.interrupt();
    assertEquals(0, next.ended().code(), () -> next.end.join().toString());
  }
}
