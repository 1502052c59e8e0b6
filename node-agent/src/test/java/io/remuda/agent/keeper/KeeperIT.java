package io.remuda.agent.keeper;

import static io.remuda.agent.keeper.KeeperUnderTest.alive;
import static io.remuda.agent.keeper.KeeperUnderTest.awaitGone;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KeeperIT extends WithKeeper {
  @Test
  void a_task_sees_exactly_its_arguments_environment_and_folder() throws IOException {
    Path folder = Files.createDirectories(keeper.folder.resolve("wörk ing"));
    List<String> argv =
        List.of(
            "/bin/sh",
            "-c",
            "cat /proc/$$/cmdline; echo; cat /proc/$$/environ; echo; pwd; ls /proc/$$/fd;"
                + " cut -d' ' -f1,6 /proc/$$/stat; readlink /proc/$$/fd/0",
            "a b",
            "",
            "$HOME;'\"",
            "ü\n");
    SpawnRequest request =
        new SpawnRequest(
            keeper.key("argv"),
            argv,
            Map.of("PATH", "/usr/bin:/bin", "EMPTY", "", "ÄÖ", "ß=1"),
            folder,
            folder.resolve("out"),
            folder.resolve("err"),
            folder,
            List.of(),
            0,
            100);

    SpawnAnswer.Started started = (SpawnAnswer.Started) client.spawn(request);
    ExitRecord exit = keeper.awaitExit(client, request.key());

    assertEquals("", Files.readString(folder.resolve("err")));
    String out = Files.readString(folder.resolve("out"));
    String cmdline = String.join("\0", argv) + "\0\n";
    assertEquals(cmdline, out.substring(0, cmdline.length()));
    String[] rest = out.substring(cmdline.length()).split("\n");
    assertEquals(
        Set.of(
            "EMPTY=",
            "PATH=/usr/bin:/bin",
            "ÄÖ=ß=1",
            "REMUDA_TASK_KEY=" + request.key(),
            "REMUDA_KEEPER=" + Files.readString(pidFile()).trim().replace(' ', '.')),
        Set.of(rest[0].split("\0")));
    assertEquals(folder.toString(), rest[1]);
    assertEquals(List.of("0", "1", "2"), List.of(rest).subList(2, 5));
    assertEquals(started.pid() + " " + started.pid(), rest[5], "it leads its own session");
    assertEquals("/dev/null", rest[6]);
    assertEquals(new ExitStatus.Code(0), exit.status());
    assertEquals("rw-------", permissions(folder.resolve("out")));
  }

  @Test
  void a_task_has_default_signals_and_an_empty_mask() throws IOException {
    client.spawn(
        keeper.requests().shell(keeper.key("sig"), "grep -E 'SigBlk|SigIgn' /proc/self/status"));
    keeper.awaitExit(client, keeper.key("sig"));

    assertEquals("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n", keeper.read("out"));
  }

  @Test
  void an_exit_code_and_what_was_used_are_learned() throws IOException {
    client.spawn(
        keeper
            .requests()
            .run(
                keeper.key("code"),
                "python3",
                "-c",
                "import sys,time\nx=bytearray(60<<20)\nt=time.process_time()\n"
                    + "while time.process_time()-t<0.2: pass\nsys.exit(7)"));
    ExitRecord exit = keeper.awaitExit(client, keeper.key("code"));

    assertEquals(new ExitStatus.Code(7), exit.status());
    assertTrue(exit.userCpuMillis() + exit.systemCpuMillis() >= 190, exit.toString());
    assertTrue(exit.wallMillis() >= 190, exit.toString());
    assertTrue(exit.peakRssBytes() > 60L << 20, exit.toString());
    assertFalse(exit.killed());
    assertEquals(exit, ExitFile.read(keeper.folder).orElseThrow());
    await().until(() -> keeper.exits.size() == 1);
    assertEquals(exit, keeper.exits.get(0).exit());
  }

  @Test
  void a_signal_is_learned() {
    client.spawn(keeper.requests().shell(keeper.key("sig"), "kill -SEGV $$"));

    ExitStatus status = keeper.awaitExit(client, keeper.key("sig")).status();

    assertEquals(11, ((ExitStatus.Signal) status).number());
    assertEquals(139, status.shellCode());
  }

  @Test
  void a_double_forked_child_in_its_own_session_is_killed_with_its_task() {
    String daemon = "(setsid sh -c 'echo $$ > daemon; exec sleep 1000' &) ; sleep 1000";
    client.spawn(keeper.requests().shell(keeper.key("tree"), daemon));
    int pid = keeper.awaitPid("daemon");

    client.kill(keeper.key("tree"), 2000);
    ExitRecord exit = keeper.awaitExit(client, keeper.key("tree"));

    assertFalse(alive(pid));
    assertEquals(new ExitStatus.Signal(15, false), exit.status());
    assertTrue(exit.killed());
  }

  @Test
  void what_outlives_the_first_process_is_ended_and_counted() {
    String script =
        "(setsid sh -c 'trap \"\" TERM; echo $$ > daemon; while :; do sleep 1; done' &);"
            + " while ! test -s daemon; do sleep 0.01; done; exit 3";
    client.spawn(keeper.requests().shell(keeper.key("left"), script));
    int pid = keeper.awaitPid("daemon");

    ExitRecord exit = keeper.awaitExit(client, keeper.key("left"));

    assertFalse(alive(pid));
    assertEquals(new ExitStatus.Code(3), exit.status());
    assertTrue(exit.leftovers() >= 1, exit.toString());
    assertFalse(exit.killed());
  }

  @Test
  void a_daemon_without_any_mark_is_ended_with_the_last_task() {
    String script =
        "env -i setsid sh -c 'echo $$ > daemon; exec /bin/sleep 1000' & "
            + "while ! test -s daemon; do sleep 0.01; done; exit 0";
    client.spawn(keeper.requests().shell(keeper.key("bare"), script));
    int pid = keeper.awaitPid("daemon");

    keeper.awaitExit(client, keeper.key("bare"));

    awaitGone(pid);
  }

  @Test
  void a_daemon_of_one_task_survives_the_end_of_another() {
    String daemon = "(setsid sh -c 'echo $$ > daemon; exec sleep 1000' &) ; sleep 1000";
    client.spawn(keeper.requests().shell(keeper.key("a"), daemon));
    int pid = keeper.awaitPid("daemon");

    client.spawn(keeper.requests().shell(keeper.key("b"), "exit 0"));
    assertEquals(0, keeper.awaitExit(client, keeper.key("b")).leftovers());

    assertTrue(alive(pid));
    client.kill(keeper.key("a"), 0);
    keeper.awaitExit(client, keeper.key("a"));
    assertFalse(alive(pid));
  }

  @Test
  void a_task_that_ignores_sigterm_is_killed_after_its_grace() {
    client.spawn(
        keeper
            .requests()
            .shell(keeper.key("deaf"), "trap '' TERM; echo $$ > up; while :; do sleep 1; done"));
    keeper.awaitPid("up");

    client.kill(keeper.key("deaf"), 300);
    ExitRecord exit = keeper.awaitExit(client, keeper.key("deaf"));

    assertEquals(new ExitStatus.Signal(9, false), exit.status());
  }

  @Test
  void a_task_may_end_itself_in_order_within_its_grace() {
    client.spawn(
        keeper
            .requests()
            .shell(
                keeper.key("neat"),
                "trap 'exit 5' TERM; echo $$ > up; while :; do sleep 0.05; done"));
    keeper.awaitPid("up");

    client.kill(keeper.key("neat"), 60_000);

    assertEquals(new ExitStatus.Code(5), keeper.awaitExit(client, keeper.key("neat")).status());
  }

  @Test
  void a_stopped_task_ends_at_sigterm() {
    client.spawn(keeper.requests().shell(keeper.key("stop"), "echo $$ > up; exec sleep 1000"));
    int pid = keeper.awaitPid("up");
    Posix.kill(pid, 19);
    await().until(() -> ProcFiles.stat(pid).state() == 'T');

    client.kill(keeper.key("stop"), 60_000);

    assertEquals(
        new ExitStatus.Signal(15, false), keeper.awaitExit(client, keeper.key("stop")).status());
  }

  @Test
  void a_fork_storm_is_ended() throws IOException {
    String script =
        "echo $$ > up; f() { for i in 1 2 3; do (setsid sh -c 'while :; do sleep 0.02; done' &);"
            + " sleep 0.01; done; }; while :; do f; done";
    client.spawn(
        keeper.requests().shell(keeper.key("storm"), "timeout 5 sh -c \"" + script + "\""));
    keeper.awaitPid("up");

    client.kill(keeper.key("storm"), 0);
    keeper.awaitExit(client, keeper.key("storm"));

    assertEquals(List.of(), marked(keeper.key("storm")));
  }

  @Test
  void an_unrenewed_lease_ends_the_task_and_says_so() {
    client.spawn(
        keeper.requests().leasedFor(400).shell(keeper.key("lease"), "trap '' TERM; sleep 1000"));

    ExitRecord exit = keeper.awaitExit(client, keeper.key("lease"));

    assertTrue(exit.leaseExpired());
    assertTrue(exit.wallMillis() >= 400, exit.toString());
  }

  @Test
  void a_renewed_lease_keeps_the_task() {
    client.spawn(keeper.requests().leasedFor(1000).shell(keeper.key("kept"), "sleep 1000"));
    client.spawn(keeper.requests().leasedFor(1000).shell(keeper.key("left"), "sleep 1000"));

    client.renew(List.of(keeper.key("kept"), "unknown"), 60_000);
    keeper.awaitExit(client, keeper.key("left"));

    assertEquals(TaskView.State.RUNNING, view(keeper.key("kept")).state());
  }

  @Test
  void a_second_client_adopts_what_runs_and_is_told_of_its_end() throws IOException {
    SpawnAnswer answer = client.spawn(keeper.requests().shell(keeper.key("run"), "sleep 1000"));
    client.spawn(keeper.requests("done").shell(keeper.key("done"), "exit 4"));
    keeper.awaitExit(client, keeper.key("done"));
    client.close();
    keeper.exits.clear();

    KeeperClient second = keeper.client();
    Map<String, TaskView> seen =
        second.list().stream().collect(Collectors.toMap(TaskView::key, view -> view));

    assertEquals(((SpawnAnswer.Started) answer).pid(), seen.get(keeper.key("run")).pid());
    assertEquals(TaskView.State.RUNNING, seen.get(keeper.key("run")).state());
    assertEquals(new ExitStatus.Code(4), seen.get(keeper.key("done")).exit().status());
    second.kill(keeper.key("run"), 0);
    await().until(() -> keeper.exits.size() == 1);
    second.forget(List.of(keeper.key("done"), keeper.key("run")));
    assertEquals(List.of(), second.list());
  }

  @Test
  void a_client_that_was_replaced_starts_nothing_more() throws IOException {
    KeeperClient second = keeper.client();
    SpawnRequest late = keeper.requests().shell(keeper.key("late"), "echo x > started");

    SpawnAnswer.Refused refused =
        assertInstanceOf(SpawnAnswer.Refused.class, client.spawn(late), "left in its socket");
    assertEquals(RefusalCode.EXPIRED, refused.code());
    assertEquals(List.of(), second.list());
    assertInstanceOf(SpawnAnswer.Started.class, second.spawn(late));
    keeper.awaitExit(second, late.key());
    assertEquals("x\n", keeper.read("started"));
  }

  @Test
  void a_repeated_spawn_starts_nothing() throws IOException {
    SpawnRequest request =
        keeper.requests().shell(keeper.key("once"), "echo x >> count; sleep 0.2");
    client.spawn(request);

    SpawnAnswer again = client.spawn(request);
    assertEquals(keeper.key("once"), assertInstanceOf(SpawnAnswer.Known.class, again).task().key());
    keeper.awaitExit(client, request.key());
    assertInstanceOf(SpawnAnswer.Known.class, client.spawn(request));
    client.forget(List.of(request.key()));
    SpawnAnswer.Known fromFile =
        assertInstanceOf(SpawnAnswer.Known.class, client.spawn(request), "its exit is on disk");

    assertEquals(TaskView.State.EXITED, fromFile.task().state());
    assertEquals("x\n", keeper.read("count"));
  }

  @Test
  void five_hundred_short_tasks_are_all_reaped() throws IOException {
    for (int i = 0; i < 500; i++) {
      SpawnRequest request = keeper.requests("s" + i).run(keeper.key("s" + i), "/bin/true");
      assertInstanceOf(SpawnAnswer.Started.class, client.spawn(request));
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> client.list().stream().allMatch(view -> view.exit() != null));

    Set<String> told = new TreeSet<>();
    await()
        .until(
            () -> {
              keeper.exits.forEach(view -> told.add(view.key()));
              return told.size() == 500;
            });
    for (TaskView view : client.list()) {
      assertEquals(new ExitStatus.Code(0), view.exit().status());
      assertNotEquals(0, view.startTicks());
    }
    assertEquals(List.of(), ProcFiles.children((int) keeper.process().pid()));
  }

  @Test
  void a_device_is_lent_to_one_keeper_only_and_the_refusal_names_the_holder() throws IOException {
    keeper.start("other");
    KeeperClient other = keeper.client("other");
    Requests lending = keeper.requests().lending("GPU-1");
    SpawnAnswer.Started holder =
        (SpawnAnswer.Started) client.spawn(lending.shell(keeper.key("a"), "sleep 1000"));

    SpawnAnswer answer = other.spawn(lending.shell(keeper.key("b"), "sleep 1000"));

    SpawnAnswer.Refused refused = assertInstanceOf(SpawnAnswer.Refused.class, answer);
    assertEquals(RefusalCode.DEVICE_BUSY, refused.code());
    assertEquals(
        "GPU-1 is lent by pid "
            + holder.pid()
            + " of user "
            + System.getProperty("user.name")
            + " (task "
            + keeper.key("a")
            + ")",
        refused.message());
    client.kill(keeper.key("a"), 0);
    keeper.awaitExit(client, keeper.key("a"));
    assertInstanceOf(
        SpawnAnswer.Started.class, other.spawn(lending.shell(keeper.key("b"), "exit 0")));
  }

  @Test
  void a_shutdown_ends_all_tasks_and_the_keeper() throws Exception {
    client.spawn(keeper.requests().shell(keeper.key("a"), "echo $$ > up; exec sleep 1000"));
    int pid = keeper.awaitPid("up");

    client.shutdown(1000);

    assertEquals(0, keeper.process().onExit().get().exitValue());
    assertFalse(alive(pid));
    assertTrue(ExitFile.read(keeper.folder).orElseThrow().killed());
    assertThrows(KeeperFailure.class, client::list);
  }

  @Test
  void sigterm_ends_all_tasks_and_then_the_keeper() throws Exception {
    client.spawn(
        keeper
            .requests()
            .shell(
                keeper.key("a"), "trap 'exit 9' TERM; echo $$ > up; while :; do sleep 0.05; done"));
    int pid = keeper.awaitPid("up");

    keeper.signalKeeper(Posix.SIGTERM);

    assertEquals(143, keeper.process().onExit().get().exitValue());
    assertFalse(alive(pid));
    assertEquals(new ExitStatus.Code(9), ExitFile.read(keeper.folder).orElseThrow().status());
  }

  @Test
  void sigint_and_sighup_are_ignored() {
    keeper.signalKeeper(Posix.SIGINT);
    keeper.signalKeeper(Posix.SIGHUP);

    assertEquals(List.of(), client.list());
  }

  @Test
  void a_second_keeper_of_one_folder_is_refused_with_code_3() {
    IOException refused = assertThrows(IOException.class, () -> keeper.start("node"));

    assertTrue(refused.getMessage().contains("with code 3"), refused.getMessage());
    assertTrue(
        refused.getMessage().contains("another keeper (pid " + keeper.process().pid() + ")"),
        refused.getMessage());
    assertEquals(List.of(), client.list(), "the first one is well");
  }

  @Test
  void a_folder_too_deep_for_a_socket_is_refused_with_a_way_out() {
    IOException refused = assertThrows(IOException.class, () -> keeper.start("n".repeat(120)));

    assertTrue(refused.getMessage().contains("code 2"), refused.getMessage());
    assertTrue(refused.getMessage().contains("choose a shorter node folder"));
  }

  @Test
  void an_unneeded_keeper_ends_itself() throws Exception {
    try (KeeperUnderTest brief = new KeeperUnderTest(300)) {
      Process process = brief.start();
      KeeperClient user = brief.client();
      user.spawn(brief.requests().shell(brief.key("a"), "sleep 1.2"));
      user.close();

      assertEquals(0, process.onExit().get().exitValue());

      assertEquals(new ExitStatus.Code(0), ExitFile.read(brief.folder).orElseThrow().status());
      assertFalse(Files.exists(new KeeperFolder(brief.folder.resolve("node")).socket()));
    }
  }

  @Test
  void stray_bytes_close_only_their_own_connection() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 60; i++) {
      byte[] bytes = new byte[1 + random.nextInt(300)];
      random.nextBytes(bytes);
      try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        channel.connect(
            UnixDomainSocketAddress.of(new KeeperFolder(keeper.folder.resolve("node")).socket()));
        channel.write(ByteBuffer.wrap(bytes));
      }
    }

    assertEquals(List.of(), client.list());
    assertEquals(List.of(), keeper.disconnects);
  }

  @Test
  void a_keeper_of_another_version_is_refused_by_name() throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(
          UnixDomainSocketAddress.of(new KeeperFolder(keeper.folder.resolve("node")).socket()));
      channel.write(
          ByteBuffer.wrap(
              new FrameWriter(Protocol.HELLO, 1).number(Protocol.MAGIC).number(99).frame()));
      ByteBuffer answer = ByteBuffer.allocate(200);
      channel.read(answer);
      FrameReader frame = new FrameReader(Arrays.copyOfRange(answer.array(), 4, answer.position()));

      assertEquals(Protocol.ERROR, frame.kind());
      assertEquals("keeper speaks version 5, agent 99", frame.text());
    }
  }

  private TaskView view(String key) {
    return client.list().stream().filter(v -> v.key().equals(key)).findFirst().orElseThrow();
  }

  private static List<Integer> marked(String key) {
    return ProcFiles.all().stream()
        .filter(process -> !process.dead())
        .map(ProcStat::pid)
        .filter(
            pid -> {
              byte[] environment = ProcFiles.environment(pid);
              return environment != null
                  && key.equals(ProcFiles.variable(environment, TaskMark.KEY));
            })
        .toList();
  }

  private Path pidFile() {
    return new KeeperFolder(keeper.folder.resolve("node")).pid();
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
