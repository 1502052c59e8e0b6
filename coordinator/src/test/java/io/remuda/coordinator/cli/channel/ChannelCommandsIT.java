package io.remuda.coordinator.cli.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Terminals, shells and ports of tasks, and signals to them, with real processes; script makes the
 * terminals here.
 */
class ChannelCommandsIT {

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int SOON_MILLIS = (int) SOON.toMillis();

  @TempDir private static Path shared;
  private static Cluster service;
  private static long job;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of()).serve();
    job = service.submit("sleep 600");
    service.awaitState(job, "running");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static Result inTerminal(String command) throws IOException {
    return service.tool(
        "bsdutils",
        shared,
        Map.of("COMMAND", command),
        "sh",
        "-c",
        "script -qec \"$COMMAND\" /dev/null </dev/null");
  }

  @Test
  void a_task_has_the_terminal_of_run_and_its_exit_code_is_runs() throws Exception {
    Result run =
        inTerminal("remuda run --pty --cpus 0 -- sh -c 'tty >/dev/null && stty size; exit 7'");
    assertEquals(7, run.code(), run::toString);
    assertTrue(run.out().contains("24 80\r\n"), run::toString);
    Result none = service.cli("run", "--pty", "--", "true");
    assertEquals(2, none.code());
    assertTrue(none.err().contains("--pty needs a terminal"), none::toString);
  }

  @Test
  void a_shell_beside_a_task_has_its_variables_and_is_for_its_owner() throws Exception {
    Result shell = inTerminal("remuda attach " + job + " -- sh -c 'echo $REMUDA_TASK; exit 3'");
    assertEquals(3, shell.code(), shell::toString);
    assertTrue(shell.out().contains(job + ".0\r\n"), shell::toString);
    Result plain =
        service.cli(
            "attach", Long.toString(job), "--", "sh", "-c", "cat; echo $REMUDA_TASK; exit 4");
    assertEquals(4, plain.code(), plain::toString);
    assertEquals(job + ".0\n", plain.out(), plain::toString);
    Result none = service.cli("attach", Long.toString(job));
    assertEquals(2, none.code(), none::toString);
    assertTrue(none.err().contains("give a command"), none::toString);
    Path bob = Files.createDirectory(shared.resolve("bob"));
    service.cli("user", "add", "bob", "--out", bob.resolve("access.json").toString());
    Result others =
        service.cli(Map.of("REMUDA_HOME", bob.toString()), "forward", Long.toString(job), "0:6006");
    assertEquals(1, others.code(), others::toString);
    assertTrue(others.err().contains("belongs to"), others::toString);
  }

  @Test
  void a_running_task_gets_a_signal_of_its_owner_and_goes_on() throws Exception {
    Path told = shared.resolve("told");
    Path ready = shared.resolve("ready");
    long id =
        service.submit(
            String.format(
                "trap 'echo told > %s' USR1; touch %s; while :; do sleep 0.1; done", told, ready),
            "cpus",
            0);
    String number = Long.toString(id);
    service.await("the trap", SOON, () -> Files.exists(ready));
    service.awaitState(id, "running");
    Path eve = Files.createDirectory(shared.resolve("eve"));
    service.cli("user", "add", "eve", "--out", eve.resolve("access.json").toString());
    Result others = service.cli(Map.of("REMUDA_HOME", eve.toString()), "signal", "USR1", number);
    assertEquals(1, others.code(), others::toString);
    assertTrue(others.err().contains("belongs to"), others::toString);

    Result sent = service.cli("signal", "SIGUSR1", number + ".0");
    assertEquals("task " + number + ".0 got USR1\n", sent.out(), sent::toString);
    assertEquals(0, sent.code());
    service.await("the signal", SOON, () -> Files.exists(told));
    service.awaitState(id, "running");
    service.cli("cancel", "--now", number);
    service.awaitState(id, "cancelled");
    Result over = service.cli("signal", "USR1", number);
    assertEquals(1, over.code(), over::toString);
    assertTrue(over.err().contains("no task of job " + number + " runs"), over::toString);
  }

  @Test
  void a_signal_reaches_what_a_plain_script_has_started_and_the_script_goes_on() throws Exception {
    Path told = shared.resolve("child-told");
    Path ready = shared.resolve("child-ready");
    String child =
        String.format(
            "trap 'echo told > %s; exit 0' USR1; touch %s; while :; do sleep 0.1; done",
            told, ready);
    Path script = Files.writeString(shared.resolve("child.sh"), child);
    long id = service.submit("sh " + script + "; echo went on", "cpus", 0);
    service.await("the trap of the child", SOON, () -> Files.exists(ready));
    service.awaitState(id, "running");
    Result sent = service.cli("signal", "USR1", Long.toString(id));
    assertEquals("task " + id + ".0 got USR1\n", sent.out(), sent::toString);
    assertEquals("succeeded", service.awaitEnd(id).path("state").asText());
    assertEquals("went on\n", service.log(id, 0, "out"));
    assertTrue(Files.exists(told));
  }

  @Test
  void a_signal_for_all_reaches_the_program_below_a_launcher_that_does_not_know_it()
      throws Exception {
    Path ready = shared.resolve("all-ready");
    String program =
        String.format(
            "trap 'echo told; exit 0' USR1; touch %s; while :; do sleep 0.1; done", ready);
    Path script = Files.writeString(shared.resolve("program.sh"), program);
    long id =
        service.submit(
            "exec awk 'BEGIN { code = system(\"sh " + script + "\"); exit code }'", "cpus", 0);
    service.await("the trap of the program", SOON, () -> Files.exists(ready));
    service.awaitState(id, "running");
    Result sent = service.cli("signal", "all:USR1", Long.toString(id));
    assertEquals("task " + id + ".0 got all:USR1\n", sent.out(), sent::toString);
    assertEquals("succeeded", service.awaitEnd(id).path("state").asText());
    assertEquals("told\n", service.log(id, 0, "out"));
    Result wrong = service.cli("signal", "some:USR1", Long.toString(id));
    assertEquals(2, wrong.code(), wrong::toString);
    assertTrue(wrong.err().contains("'some:' says no processes"), wrong::toString);
  }

  @Test
  void connections_to_a_port_are_carried_until_the_task_ends() throws Exception {
    long served = service.submit("sleep 600");
    service.awaitState(served, "running");
    try (ServerSocket program = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      program.setSoTimeout(SOON_MILLIS);
      Path out = shared.resolve("forwarded");
      Process forward = forward(served, program.getLocalPort(), out);
      try {
        service.await("the address", SOON, () -> Files.readString(out).endsWith("\n"));
        int port = URI.create(Files.readString(out).strip()).getPort();
        try (Socket first = new Socket("127.0.0.1", port);
            Socket second = new Socket("127.0.0.1", port)) {
          exchange(first, second, program);
        }
        service.cli("cancel", "--now", Long.toString(served));
        assertTrue(forward.waitFor(SOON_MILLIS, TimeUnit.MILLISECONDS));
        assertEquals(0, forward.exitValue());
      } finally {
        forward.destroyForcibly();
      }
    }
  }

  private static Process forward(long job, int port, Path out) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Installation.find().dist().resolve("bin/remuda").toString(),
            "forward",
            "-q",
            Long.toString(job),
            "0:" + port);
    builder.environment().put("REMUDA_HOME", service.home().toString());
    return builder
        .redirectOutput(out.toFile())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Both are open at once; each side sends, ends, and reads what the other has sent. */
  private static void exchange(Socket first, Socket second, ServerSocket program)
      throws IOException {
    for (Socket client : new Socket[] {first, second}) {
      client.setSoTimeout(SOON_MILLIS);
      client.getOutputStream().write("GET".getBytes(UTF_8));
      client.shutdownOutput();
    }
    for (int i = 0; i < 2; i++) {
      try (Socket served = program.accept()) {
        served.setSoTimeout(SOON_MILLIS);
        assertEquals("GET", new String(served.getInputStream().readAllBytes(), UTF_8));
        served.getOutputStream().write("found".getBytes(UTF_8));
      }
    }
    for (Socket client : new Socket[] {first, second}) {
      assertEquals("found", new String(client.getInputStream().readAllBytes(), UTF_8));
    }
  }
}
