package io.remuda.agent.keeper.ending;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcTraitsTest {
  private static final int USR1 = 10;

  private final ProcTraits traits = new ProcTraits();

  /** Looks at a process while it waits for its input, after it has printed a line. */
  private interface Look {
    void at(ProcStat process) throws Exception;
  }

  private static void during(List<String> command, Look look) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader out = process.inputReader()) {
      assertEquals("up", out.readLine());
      look.at(ProcFiles.stat((int) process.pid()));
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bash", "rbash", "dash", "zsh", "zsh-5.9", "zsh5", "ksh93", "mksh-static", "fish"})
  void these_are_shells(String name) {
    assertEquals(ProcessTraits.Kind.SHELL, ProcTraits.kind(name, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"python3", "sh", "dashboard", "bashful", "fish-tank", "pdsh", "ssh", ""})
  void these_are_none(String name) {
    assertEquals(ProcessTraits.Kind.PROGRAM, ProcTraits.kind(name, false));
  }

  @Test
  void one_program_that_is_many_is_what_its_first_word_says() {
    assertEquals("sh", ProcTraits.ofMany("busybox", List.of("sh", "-c", "x")));
    assertEquals("ash", ProcTraits.ofMany("busybox", List.of("-ash")));
    assertEquals("sh", ProcTraits.ofMany("busybox", List.of("/bin/busybox", "sh", "-c", "x")));
    assertEquals("busybox", ProcTraits.ofMany("busybox", List.of("busybox")));
    assertEquals(ProcessTraits.Kind.SHELL, ProcTraits.kind("sh", true));
  }

  @Test
  void a_script_is_a_shell_by_what_runs_it_and_not_by_its_name(@TempDir Path folder)
      throws Exception {
    Path script = Files.writeString(folder.resolve("train.py"), "#!/bin/sh\necho up; read x\n");
    assertTrue(script.toFile().setExecutable(true));
    during(
        List.of(script.toString()),
        process -> assertEquals(ProcessTraits.Kind.SHELL, traits.kind(process)));
    Path named =
        Files.writeString(
            folder.resolve("bash"),
            "#!/usr/bin/awk -f\nBEGIN { print \"up\"; fflush(); getline }\n");
    assertTrue(named.toFile().setExecutable(true));
    during(
        List.of(named.toString()),
        process -> assertEquals(ProcessTraits.Kind.PROGRAM, traits.kind(process)));
  }

  /**
   * Open MPI 4.1.4 asks its ranks a second after it was asked and kills them a second later. An ssh
   * to another node would end with its first signal, and the ranks there unasked.
   */
  @ParameterizedTest
  @CsvSource({"rank,LAUNCHER", "ssh,PROGRAM"})
  void open_mpis_mpirun_is_passed_over_if_all_ranks_are_its_own(
      String child, ProcessTraits.Kind kind, @TempDir Path folder) throws Exception {
    Path mpirun = Files.copy(Path.of("/bin/sh").toRealPath(), folder.resolve("orterun"));
    Path started = Files.copy(Path.of("/bin/cat").toRealPath(), folder.resolve(child));
    during(
        List.of(mpirun.toString(), "-c", "echo up; " + started + "; true"),
        process -> {
          await().until(() -> !ProcFiles.children(process.pid()).isEmpty());
          await().untilAsserted(() -> assertEquals(kind, traits.kind(process)));
        });
  }

  @Test
  void a_shell_that_has_become_a_program_is_a_program() throws Exception {
    during(
        List.of("bash", "-c", "exec awk 'BEGIN { print \"up\"; fflush(); getline }'"),
        process -> assertEquals(ProcessTraits.Kind.PROGRAM, traits.kind(process)));
  }

  @Test
  void a_trap_is_a_handler_and_an_ignored_signal_has_none() throws Exception {
    during(
        List.of("bash", "-c", "trap : USR1; echo up; read x"),
        process -> assertTrue(traits.handles(process, USR1)));
    during(
        List.of("bash", "-c", "trap '' USR1; echo up; read x"),
        process -> assertFalse(traits.handles(process, USR1)));
    during(
        List.of("bash", "-c", "echo up; read x"),
        process -> assertFalse(traits.handles(process, USR1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "dash"})
  void a_shell_tells_its_background_from_its_foreground(String shell) throws Exception {
    during(
        List.of(shell, "-c", "sleep 60 & echo up; sleep 61; true"),
        process -> {
          List<ProcStat> children =
              await()
                  .until(
                      () ->
                          ProcFiles.children(process.pid()).stream()
                              .filter(pid -> ProcFiles.words(pid).size() == 2)
                              .map(ProcFiles::stat)
                              .toList(),
                      found -> found.size() == 2);
          for (ProcStat child : children) {
            boolean inForeground = ProcFiles.words(child.pid()).get(1).equals("61");
            assertEquals(inForeground, traits.isInForeground(child));
            ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
          }
        });
  }

  @Test
  void srun_is_a_script_of_that_name(@TempDir Path folder) throws Exception {
    for (String name : List.of("srun", "other")) {
      Path script = Files.writeString(folder.resolve(name), "#!/bin/sh -u\necho up; read x\n");
      assertTrue(script.toFile().setExecutable(true));
      during(
          List.of(script.toString(), "-n", "2"),
          process -> assertEquals(name.equals("srun"), traits.isStepLauncher(process)));
    }
    during(
        List.of("python3", "-c", "print('up', flush=True); input()", "srun"),
        process -> assertFalse(traits.isStepLauncher(process)));
  }
}
