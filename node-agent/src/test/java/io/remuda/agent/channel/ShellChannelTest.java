package io.remuda.agent.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shells beside a real process that stands for a task. */
class ShellChannelTest {

  private static final long SOON_NANOS = 20_000_000_000L;

  @TempDir private Path folder;
  private final String key = UUID.randomUUID().toString();
  private Process task;
  private ResumableChannel channel;

  @AfterEach
  void end() throws IOException {
    if (channel != null) {
      channel.close();
    }
    if (task != null) {
      task.destroyForcibly();
    }
  }

  private void startTask(Map<String, String> variables) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "umask 027; echo ready; read x");
    builder.environment().put("REMUDA_TASK_KEY", key);
    builder.environment().put("REMUDA_KEEPER", "1.1");
    builder.environment().putAll(variables);
    task = builder.directory(Files.createDirectory(folder.resolve("work")).toFile()).start();
    task.getInputStream().read();
  }

  private void attach(String... command) throws IOException {
    ChannelExchangeRequest ask =
        new ChannelExchangeRequest(
            "s", "shell:vt100", 0, null, false, -1, 33, 101, false, List.of(command));
    channel = new ResumableChannel(ShellChannel.start(key, ask, "vt100", folder), 0);
  }

  private static ChannelExchangeRequest typed(String text) {
    return new ChannelExchangeRequest("s", null, 0, text.getBytes(UTF_8), false, -1, 0, 0, false);
  }

  private String shown() {
    return new String(channel.part(0).bytes(), UTF_8);
  }

  private void await(BooleanSupplier reached) throws Exception {
    long until = System.nanoTime() + SOON_NANOS;
    while (!reached.getAsBoolean()) {
      channel.pump();
      assertTrue(System.nanoTime() < until, () -> "only " + shown());
      Thread.sleep(1);
    }
  }

  @Test
  void a_command_has_the_tasks_environment_folder_and_umask_and_a_terminal_of_its_own()
      throws Exception {
    startTask(Map.of("CUDA_VISIBLE_DEVICES", "GPU-7", "TERM", "xterm"));
    attach(
        "sh",
        "-c",
        "echo $CUDA_VISIBLE_DEVICES $TERM; pwd; umask; tty; stty size >/dev/tty </dev/tty; exit 7");
    await(channel::isOver);
    String[] lines = shown().split("\r\n");
    assertEquals("GPU-7 vt100", lines[0]);
    assertEquals(folder.resolve("work").toString(), lines[1]);
    assertEquals("0027", lines[2]);
    assertTrue(lines[3].startsWith("/dev/pts/"), lines[3]);
    assertEquals("33 101", lines[4]);
    assertEquals(7, channel.state().exitCode());
    assertEquals(List.of("work"), List.of(folder.toFile().list()));
  }

  @Test
  void a_command_has_the_variables_that_no_shell_can_name() throws Exception {
    startTask(Map.of("BASH_FUNC_module%%", "() {  echo \"loaded $*\"\n}", "a.b", "dot"));
    attach("sh", "-c", "tr '\\0' '\\n' </proc/$$/environ | grep -A1 -e module -e '^a[.]b'");
    await(channel::isOver);
    assertTrue(shown().contains("BASH_FUNC_module%%=() {  echo \"loaded $*\"\r\n}"), shown());
    assertTrue(shown().contains("a.b=dot"), shown());
  }

  @Test
  void a_key_interrupts_what_runs_in_it_and_not_the_shell() throws Exception {
    startTask(Map.of("SHELL", "/bin/sh", "PS1", "ready "));
    attach();
    await(() -> shown().contains("ready "));
    channel.write(typed("sleep 600; echo status $?\r"));
    await(() -> isRunning("sleep"));
    channel.write(
        new ChannelExchangeRequest("s", null, 26, new byte[] {3}, false, -1, 0, 0, false));
    await(() -> shown().endsWith("ready ") && shown().contains("^C"));
    assertFalse(channel.isOver());
  }

  @Test
  void what_was_started_in_it_ends_with_it() throws Exception {
    startTask(Map.of());
    attach("sh", "-c", "nohup setsid sleep 600 >/dev/null 2>&1 & echo pid $!.; exit 0");
    await(channel::isOver);
    assertEquals(0, channel.state().exitCode());
    assertFalse(
        ProcFiles.all().stream().anyMatch(process -> !process.dead() && isShells(process.pid())));
    assertTrue(task.isAlive());
  }

  private boolean isRunning(String program) {
    return ProcFiles.all().stream()
        .anyMatch(
            process -> program.equals(ProcFiles.command(process.pid())) && isShells(process.pid()));
  }

  private boolean isShells(int pid) {
    byte[] environment = ProcFiles.environment(pid);
    return environment != null
        && key.equals(ProcFiles.variable(environment, "REMUDA_TASK_KEY"))
        && ProcFiles.variable(environment, "REMUDA_SHELL") != null;
  }

  @Test
  void it_ends_with_the_task() throws Exception {
    startTask(Map.of());
    attach("sh", "-c", "trap 'exit 5' HUP; echo up; while true; do sleep 0.1; done");
    await(() -> shown().contains("up"));
    channel.attemptEnded();
    await(channel::isOver);
    assertEquals(5, channel.state().exitCode());
  }

  @Test
  void there_is_none_beside_a_task_that_is_gone_or_in_a_container() throws Exception {
    assertThrows(IOException.class, () -> attach("true"));
    startTask(Map.of("REMUDA_CONTAINER", "podman"));
    String why = assertThrows(IOException.class, () -> attach("true")).getMessage();
    assertEquals("the task runs in a container, where no shell can be started", why);
    assertNull(channel);
  }
}
