package io.remuda.agent.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmStepTest {
  @TempDir private Path temporary;
  private SlurmStep step;
  private Process before;

  @BeforeEach
  void startAsATaskOfGpu2() throws IOException {
    step = SlurmStep.of(Map.of("SLURMD_NODENAME", "gpu2"), temporary, "ann", "run-9");
    before = new ProcessBuilder("sleep", "600").start();
  }

  @AfterEach
  void endSleep() {
    before.destroyForcibly();
  }

  private Path note() {
    return step.folder().resolve("agent.pid");
  }

  private void noted(String text) throws IOException {
    Files.createDirectories(step.folder());
    Files.writeString(note(), text);
  }

  private static String describe(ProcessHandle process) {
    return process.pid() + " " + process.info().startInstant().orElseThrow();
  }

  @Test
  void name_and_folder_are_those_of_slurms_node() throws IOException {
    SlurmStep usual =
        SlurmStep.of(Map.of("SLURMD_NODENAME", "gpu2"), Path.of("/tmp"), "ann", "run-9");
    assertEquals(new SlurmStep("gpu2", Path.of("/tmp/remuda-ann-run-9-gpu2"), false), usual);
    assertEquals(
        new SlurmStep("gpu2", Path.of("/home/ann/.remuda/nodes/gpu2"), true),
        SlurmStep.ofServer(Map.of("SLURMD_NODENAME", "gpu2"), Path.of("/home/ann/.remuda/nodes")));
  }

  @Test
  void a_long_name_has_a_short_folder_of_its_own_in_which_sockets_work() throws IOException {
    Set<Path> folders = new HashSet<>();
    for (String user : List.of("ann", "bob")) {
      for (String end : List.of("1", "2")) {
        String node = "a-node-with-a-very-long-name-in-a-cluster-with-a-longer-one-" + end;
        SlurmStep step = SlurmStep.of(Map.of("SLURMD_NODENAME", node), Path.of("/tmp"), user, "r");
        assertEquals(node, step.node());
        assertTrue(step.folder().toString().length() <= 75, step.folder().toString());
        folders.add(step.folder());
        folders.add(
            SlurmStep.of(Map.of("SLURMD_NODENAME", node), Path.of("/tmp"), user, "r").folder());
      }
    }
    assertEquals(4, folders.size(), folders.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void without_a_name_from_slurm_it_is_refused(String name) {
    Map<String, String> environment = Map.of("SLURMD_NODENAME", name);
    IOException refusal =
        assertThrows(IOException.class, () -> SlurmStep.of(environment, temporary, "ann", "run-9"));
    assertTrue(refusal.getMessage().contains("SLURMD_NODENAME"), refusal.getMessage());
  }

  @Test
  void outside_of_a_step_it_is_refused() {
    assertThrows(IOException.class, () -> SlurmStep.of(Map.of(), temporary, "ann", "run-9"));
  }

  @Test
  void a_folder_that_is_taken_over_is_our_own_and_notes_this_process() throws IOException {
    step.takeOver();
    assertEquals(
        PosixFilePermissions.fromString("rwx------"), Files.getPosixFilePermissions(step.folder()));
    assertEquals(describe(ProcessHandle.current()), Files.readString(note()));
  }

  @Test
  void the_agent_before_is_killed_and_what_it_left_is_kept() throws Exception {
    noted(describe(before.toHandle()));
    Files.writeString(step.folder().resolve("of-its-keeper"), "adopt me");
    step.takeOver();
    assertTrue(before.waitFor(60, TimeUnit.SECONDS), "it lives");
    assertEquals(128 + 9, before.exitValue());
    assertEquals(describe(ProcessHandle.current()), Files.readString(note()));
    assertEquals("adopt me", Files.readString(step.folder().resolve("of-its-keeper")));
  }

  @Test
  void a_process_of_the_same_number_that_started_at_another_time_is_left_alone()
      throws IOException {
    Instant earlier = before.toHandle().info().startInstant().orElseThrow().minusSeconds(60);
    noted(before.pid() + " " + earlier);
    step.takeOver();
    assertTrue(before.isAlive(), "a stranger was killed");
    assertEquals(describe(ProcessHandle.current()), Files.readString(note()));
  }

  @Test
  void an_agent_before_that_is_gone_is_no_hindrance() throws Exception {
    noted(describe(before.toHandle()));
    before.destroyForcibly().waitFor();
    step.takeOver();
    assertEquals(describe(ProcessHandle.current()), Files.readString(note()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4711", "x y"})
  void a_note_that_was_cut_short_names_nobody(String half) throws IOException {
    noted(half);
    step.takeOver();
    assertEquals(describe(ProcessHandle.current()), Files.readString(note()));
  }

  @Test
  void a_link_in_place_of_the_folder_is_refused_and_nothing_is_written_behind_it()
      throws IOException {
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("agent.pid"), describe(before.toHandle()));
    Files.createSymbolicLink(step.folder(), elsewhere);
    assertThrows(IOException.class, step::takeOver);
    assertTrue(before.isAlive(), "killed by a note behind the link");
    assertEquals(describe(before.toHandle()), Files.readString(elsewhere.resolve("agent.pid")));
  }

  @Test
  void cleaning_removes_everything() throws IOException {
    step.takeOver();
    Path task = Files.createDirectories(step.folder().resolve("tasks/1.0.1"));
    Files.writeString(task.resolve("out"), "hello");
    step.clean();
    assertFalse(Files.exists(step.folder(), LinkOption.NOFOLLOW_LINKS));
    step.clean();
  }

  @Test
  void cleaning_removes_links_and_not_what_they_lead_to() throws IOException {
    Path kept = Files.writeString(temporary.resolve("kept"), "hello");
    step.takeOver();
    Files.createSymbolicLink(step.folder().resolve("link"), kept);
    Files.createSymbolicLink(step.folder().resolve("up"), temporary);
    step.clean();
    assertFalse(Files.exists(step.folder(), LinkOption.NOFOLLOW_LINKS));
    assertEquals("hello", Files.readString(kept));
  }
}
