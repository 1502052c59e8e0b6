package io.remuda.agent.commandline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.settings.RemudaPaths;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Timeout(120)
class EmbeddedCallerTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Caller caller(Map<String, String> environment) {
    return new EmbeddedCaller(environment, folder, null, out, err);
  }

  @Test
  void folders_are_those_of_the_environment_relative_ones_below_the_working_folder() {
    assertEquals(
        new RemudaPaths(folder.resolve("state"), Path.of("/cache")),
        caller(Map.of("REMUDA_HOME", "state", "REMUDA_CACHE", "/cache")).paths());
    assertEquals(
        new RemudaPaths(Path.of("/home/ann/.remuda"), Path.of("/home/ann/.cache/remuda")),
        caller(Map.of("HOME", "/home/ann")).paths());
  }

  @Test
  void a_path_is_below_the_working_folder_unless_it_is_absolute() {
    Caller caller = caller(Map.of());
    assertEquals(folder.resolve("a/b"), caller.resolve(Path.of("a/b")));
    assertEquals(folder.resolve("a/b"), caller.absolute(Path.of("a/b")));
    assertEquals(Path.of("/a"), caller.resolve(Path.of("/a")));
    assertEquals(folder.toString(), caller.folder());
  }

  @Test
  void a_child_has_the_environment_and_the_folder_and_no_other() throws Exception {
    ProcessBuilder child = new ProcessBuilder("sh", "-c", "pwd; env | grep -c .; echo $WORD");
    caller(Map.of("WORD", "w", "PATH", "/usr/bin:/bin", "PWD", "/")).passTo(child);
    Process process = child.start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertEquals(0, process.waitFor());
    assertEquals(folder.toRealPath(), Path.of(lines.get(0)).toRealPath());
    assertTrue(Integer.parseInt(lines.get(1)) <= 6, lines::toString); // a shell adds some
    assertEquals("w", lines.get(2));
  }

  @Test
  void a_program_is_looked_up_in_the_path_of_the_caller() throws IOException {
    Path program = Files.createDirectories(folder.resolve("bin")).resolve("git");
    Files.writeString(program, "#!/bin/sh\n");
    assertTrue(program.toFile().setExecutable(true));
    ProcessBuilder child = new ProcessBuilder("git", "status");
    caller(Map.of("PATH", "/none:bin")).passTo(child);
    assertEquals(List.of(program.toString(), "status"), child.command());
  }

  @Test
  void a_program_that_is_not_in_the_path_of_the_caller_is_not_looked_for_in_ours() {
    ProcessBuilder child = new ProcessBuilder("sh");
    caller(Map.of("PATH", "/none:bin")).passTo(child);
    IOException fault = assertThrows(IOException.class, child::start);
    assertTrue(fault.getMessage().contains("/none/sh"), fault::getMessage);
  }

  @Test
  void without_a_path_programs_are_where_systems_have_them() {
    ProcessBuilder child = new ProcessBuilder("sh");
    caller(Map.of()).passTo(child);
    assertEquals(List.of("/bin/sh"), child.command());
  }

  @Test
  void streams_are_written_in_utf8_and_stay_open() throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(new byte[] {1, 2});
    Caller caller = new EmbeddedCaller(Map.of(), folder, in, out, err);
    caller.out().println("\u00e9");
    assertEquals("\u00e9\n", out.toString(StandardCharsets.UTF_8));
    caller.in().close();
    assertEquals(1, caller.in().read());
    assertTrue(caller.hasInput());
    assertFalse(caller(Map.of()).hasInput());
    assertEquals(-1, caller(Map.of()).in().read());
  }

  @Test
  void the_process_is_left_alone() {
    ProcessControl process = caller(Map.of()).process();
    Object before = System.err;
    process.redirectErr(caller(Map.of()).err());
    process.unblockOutput();
    assertEquals(before, System.err);
    assertThrows(IllegalStateException.class, () -> process.halt(1));
  }

  /** Options that ask for the caller. */
  @Command
  static final class Inner {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;
  }

  /** Options with options. */
  @Command
  static final class Outer {
    @Mixin private final Inner inner = new Inner();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;
  }

  /** A command below a program. */
  @Command(name = "below")
  static final class Below {
    @Mixin private final Outer outer = new Outer();
  }

  /** A program with a caller. */
  @Command(name = "program")
  record Program(Caller caller) implements CalledProgram {}

  @Test
  void a_command_has_the_caller_of_its_program_and_this_process_without_one() {
    Caller caller = caller(Map.of());
    Below command = new Below();
    CommandLine below = new CommandLine(command);
    new CommandLine(new Program(caller)).addSubcommand(below);
    assertEquals(caller, Caller.of(below.getCommandSpec()));
    assertEquals(caller, Caller.of(command.outer.spec));
    assertEquals(caller, Caller.of(command.outer.inner.spec));
    assertTrue(Caller.of(new CommandLine(new Below()).getCommandSpec()).isOwnProcess());
  }
}
