package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunFolderTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 1, 2, 12, 0, 0);

  private final List<RunFolder> open = new ArrayList<>();
  private Path state;

  @BeforeEach
  void makeState() throws IOException {
    state = Files.createTempDirectory(Path.of("/tmp"), "rs"); // a short path, for sockets
  }

  @AfterEach
  void removeAll() throws IOException {
    for (RunFolder run : open) {
      run.close();
      removeTree(run.path());
    }
    removeTree(state);
  }

  private static void removeTree(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> tree = Files.walk(folder)) {
        for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private RunFolder create(int minute) throws IOException {
    RunFolder run = RunFolder.create(state, NOON.plusMinutes(minute), 42, "pinoak");
    open.add(run);
    return run;
  }

  private void over(RunFolder run) throws IOException {
    run.close();
    open.remove(run);
  }

  private List<String> runs() throws IOException {
    try (Stream<Path> all = Files.list(state.resolve("runs"))) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void a_run_is_named_after_its_start_and_its_process() throws IOException {
    RunFolder run = create(0);
    assertEquals("20260102-120000-42", run.run());
    assertEquals(state.resolve("runs").resolve("20260102-120000-42"), run.path());
    assertEquals(run.path().resolve("nodes/n1"), run.node("n1"));
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(run.path())));
  }

  @Test
  void old_runs_are_removed_but_for_the_newest_few() throws IOException {
    for (int minute = 0; minute < 14; minute++) {
      RunFolder run = create(minute);
      Files.createDirectories(run.node("n1").resolve("tasks/1.0.1"));
      Files.writeString(run.events(), "{}\n");
      over(run);
    }
    create(14);
    assertEquals(
        IntStream.rangeClosed(4, 14).mapToObj(m -> "20260102-12%02d00-42".formatted(m)).toList(),
        runs());
  }

  @Test
  void a_run_that_still_runs_is_kept_however_old_it_is() throws IOException {
    RunFolder running = create(0);
    for (int minute = 1; minute < 14; minute++) {
      over(create(minute));
    }
    create(14);
    assertTrue(runs().contains(running.run()), runs().toString());
    over(running);
    create(15);
    assertFalse(runs().contains(running.run()), runs().toString());
  }

  @Test
  void what_a_killed_run_has_left_is_removed_by_the_next_but_for_its_log() throws IOException {
    RunFolder killed = create(0);
    Files.createFile(killed.access());
    Files.createFile(killed.keyStore());
    Files.createFile(killed.events());
    Files.createFile(killed.path().resolve("snapshots/1.0.snapshot"));
    RunFolder active = create(1);
    Files.createFile(active.access());
    assertTrue(Files.exists(killed.access()), "it may still run");
    releaseLock(killed);
    create(2);
    assertTrue(Files.notExists(killed.access()));
    assertTrue(Files.notExists(killed.keyStore()));
    assertTrue(Files.notExists(killed.path().resolve("snapshots")));
    assertTrue(Files.exists(killed.events()));
    assertTrue(Files.exists(active.access()));
  }

  /** As the kernel does when a process dies. */
  private void releaseLock(RunFolder run) throws IOException {
    run.release();
    open.remove(run);
  }

  @Test
  void the_keys_are_gone_when_the_run_is_over_and_its_log_stays() throws IOException {
    RunFolder run = create(0);
    Files.createFile(run.access());
    Files.createFile(run.keyStore());
    Files.createFile(run.events());
    over(run);
    assertTrue(Files.notExists(run.access()));
    assertTrue(Files.notExists(run.keyStore()));
    assertTrue(Files.exists(run.events()));
  }

  @Test
  void a_state_folder_with_a_long_path_is_left_for_one_where_sockets_fit() throws IOException {
    Path deep = Files.createDirectories(state.resolve("x".repeat(80)));
    RunFolder run = RunFolder.create(deep, NOON, ProcessHandle.current().pid(), "pinoak");
    open.add(run);
    Path socket = run.node("pinoak").resolve("tasks/999999.9999.99/worker.sock");
    assertTrue(socket.toString().length() <= 107, socket.toString());
    assertTrue(Files.isDirectory(run.path()));
  }
}
