package io.remuda.agent.keeper.proc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Memory;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnerTest {
  @TempDir Path folder;
  private final Spawner spawner = new Spawner("1.1");

  @Test
  void a_missing_program_is_named() {
    assertRefused(RefusalCode.CANNOT_RUN, "cannot run /x/y: no such file", request("/x/y"));
    assertRefused(
        RefusalCode.CANNOT_RUN,
        "cannot run nosuch: not found in PATH /usr/bin:/bin",
        request("nosuch"));
    assertRefused(RefusalCode.CANNOT_RUN, "cannot run ./y: no such file", request("./y"));
  }

  @Test
  void a_file_that_is_no_program_is_named_with_the_reason() throws IOException {
    Path plain = Files.writeString(folder.resolve("plain"), "x");
    assertRefused(
        RefusalCode.CANNOT_RUN, "cannot run " + plain + ": not executable", request(plain));
    assertTrue(plain.toFile().setExecutable(true));
    assertRefused(
        RefusalCode.CANNOT_RUN,
        "cannot run " + plain + ": neither a program for this machine nor a script with a #! line",
        request(plain));
    Files.writeString(plain, "#!/no/such/sh\n");
    assertRefused(
        RefusalCode.CANNOT_RUN,
        "cannot run " + plain + ": its interpreter is missing (/no/such/sh)",
        request(plain));
    assertRefused(
        RefusalCode.CANNOT_RUN, "cannot run " + folder + ": is a folder", request(folder));
  }

  @Test
  void a_missing_working_folder_is_named() {
    Path missing = folder.resolve("gone");
    assertRefused(
        RefusalCode.WORKING_FOLDER,
        "working folder " + missing + " is missing",
        with(missing, folder.resolve("out")));
  }

  @Test
  void an_output_that_cannot_be_written_is_named() {
    Path output = folder.resolve("gone/out");
    assertRefused(
        RefusalCode.OUTPUT_FILE,
        "stdout " + output + " is not writable: no such file",
        with(folder, output));
    assertRefused(
        RefusalCode.OUTPUT_FILE,
        "stdout " + folder + " is not writable: is a directory",
        with(folder, folder));
  }

  @Test
  void too_long_arguments_are_a_limit() {
    assertRefused(
        RefusalCode.LIMIT,
        "arguments and environment are too long",
        request("/bin/true", "x".repeat(1 << 20)));
  }

  @Test
  void a_program_is_looked_up_in_the_path_of_the_task() throws Exception {
    Path own = Files.writeString(folder.resolve("own"), "#!/bin/sh\nexit 42\n");
    assertTrue(own.toFile().setExecutable(true));
    SpawnRequest request =
        new SpawnRequest(
            "k",
            List.of("own"),
            Map.of("PATH", "/nowhere:" + folder),
            folder,
            folder.resolve("out"),
            folder.resolve("err"),
            folder,
            List.of(),
            0,
            0);

    assertEquals(new ExitStatus.Code(42), await(spawner.spawn(request)));
  }

  @Test
  void output_is_appended() throws Exception {
    Files.writeString(folder.resolve("out"), "before\n");

    await(spawner.spawn(request("/bin/sh", "-c", "echo after")));

    assertEquals("before\nafter\n", Files.readString(folder.resolve("out")));
  }

  @Test
  void an_output_that_is_a_link_to_a_file_of_the_user_is_noted_before() throws Exception {
    Path users = Files.writeString(folder.resolve("mine"), "before\n");
    Files.createSymbolicLink(folder.resolve("err"), users);

    await(spawner.spawn(request("/bin/sh", "-c", "echo after >&2")));

    assertEquals("before\nafter\n", Files.readString(users));
    assertTrue(Files.exists(folder.resolve("begun")));
  }

  @Test
  void a_link_is_noted_and_a_plain_output_of_an_earlier_start_is_continued() throws Exception {
    Path users = Files.writeString(folder.resolve("users"), "");
    Files.writeString(folder.resolve("out"), "earlier\n");
    Files.createSymbolicLink(folder.resolve("err"), users);
    await(spawner.spawn(request("/bin/sh", "-c", "echo out; echo err >&2")));
    assertEquals("earlier\nout\n", Files.readString(folder.resolve("out")));
    assertEquals("err\n", Files.readString(users));
    assertTrue(Files.exists(folder.resolve("begun")));
  }

  @Test
  void plain_outputs_need_no_note() throws Exception {
    await(spawner.spawn(request("/bin/true")));
    assertFalse(Files.exists(folder.resolve("begun")));
  }

  @Test
  void an_input_that_is_a_link_to_nothing_is_refused_and_leaves_nothing() throws Exception {
    Files.createSymbolicLink(folder.resolve("in"), folder.resolve("gone"));
    assertThrows(SpawnFailureException.class, () -> spawner.spawn(request("/bin/true")));
    assertFalse(Files.exists(folder.resolve("out")));
  }

  @Test
  void an_output_that_cannot_be_written_leaves_no_other() {
    Path missing = folder.resolve("err/deep");
    SpawnRequest request =
        new SpawnRequest(
            "k",
            List.of("/bin/true"),
            Map.of(),
            folder,
            folder.resolve("out"),
            missing,
            folder,
            List.of(),
            0,
            0);
    assertThrows(SpawnFailureException.class, () -> spawner.spawn(request));
    assertFalse(Files.exists(folder.resolve("out")));
  }

  private void assertRefused(RefusalCode code, String message, SpawnRequest request) {
    SpawnFailureException refused =
        assertThrows(SpawnFailureException.class, () -> spawner.spawn(request));
    assertEquals(message, refused.getMessage());
    assertEquals(code, refused.code());
  }

  private static ExitStatus await(SpawnedProcess spawned) {
    try (Memory status = new Memory(8);
        Memory usage = new Memory(ResourceUsage.BYTES)) {
      assertEquals(spawned.pid(), Posix.wait4(spawned.pid(), status, 0, usage));
      return ExitStatus.ofWaitStatus(status.getInt(0));
    }
  }

  private SpawnRequest request(Object program, String... arguments) {
    return request(folder, folder.resolve("out"), program, arguments);
  }

  private SpawnRequest with(Path workingFolder, Path stdout) {
    return request(workingFolder, stdout, "/bin/true");
  }

  private SpawnRequest request(
      Path workingFolder, Path stdout, Object program, String... arguments) {
    List<String> argv = new ArrayList<>(List.of(program.toString()));
    argv.addAll(List.of(arguments));
    return new SpawnRequest(
        "k",
        argv,
        Map.of("PATH", "/usr/bin:/bin"),
        workingFolder,
        stdout,
        folder.resolve("err"),
        folder,
        List.of(),
        0,
        0);
  }
}
