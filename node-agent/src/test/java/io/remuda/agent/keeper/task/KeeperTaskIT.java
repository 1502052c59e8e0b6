package io.remuda.agent.keeper.task;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.protocol.KeeperClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a task finds when it starts, and what is learned of its end. */
class KeeperTaskIT extends WithKeeper {
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
  void the_peak_of_a_short_small_task_is_not_that_of_the_keeper() {
    client.spawn(keeper.requests().run(keeper.key("small"), "/bin/true"));
    assertEquals(0, keeper.awaitExit(client, keeper.key("small")).peakRssBytes());
  }

  @Test
  void the_peak_of_a_small_task_is_its_own_once_it_has_run_for_some_seconds() {
    client.spawn(keeper.requests().run(keeper.key("slow"), "sleep", "6"));
    long peak = keeper.awaitExit(client, keeper.key("slow")).peakRssBytes();
    assertTrue(peak > 0 && peak < 10L << 20, "bytes: " + peak);
  }

  @Test
  void the_memory_of_processes_that_run_side_by_side_adds_up() {
    String hold = "python3 -c 'import time; x = bytearray(60 << 20); time.sleep(6)'";
    client.spawn(keeper.requests().shell(keeper.key("two"), hold + " & " + hold + "; wait"));
    long peak = keeper.awaitExit(client, keeper.key("two")).peakRssBytes();
    assertTrue(peak > 120L << 20, "bytes: " + peak);
  }

  @Test
  void a_signal_is_learned() {
    client.spawn(keeper.requests().shell(keeper.key("sig"), "kill -SEGV $$"));

    ExitStatus status = keeper.awaitExit(client, keeper.key("sig")).status();

    assertEquals(11, ((ExitStatus.Signal) status).number());
    assertEquals(139, status.shellCode());
  }

  @Test
  void five_hundred_short_tasks_are_all_reaped() throws IOException {
    for (int i = 0; i < 500; i++) {
      SpawnRequest request = keeper.requests("s" + i).run(keeper.key("s" + i), "/bin/true");
      assertInstanceOf(SpawnAnswer.Started.class, client.spawn(request));
    }
    await().until(() -> client.list().stream().allMatch(view -> view.exit() != null));

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
    assertEquals(List.of(keeper.guardian()), ProcFiles.children((int) keeper.process().pid()));
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

  private Path pidFile() {
    return new KeeperFolder(keeper.node()).pid();
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
