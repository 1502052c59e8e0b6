package io.remuda.agent.keeper.task;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.limit.LimitNote;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A real keeper and tasks that take more memory than they have stated, or not. */
class MemoryIT extends WithKeeper {
  /**
   * Holds so many MiB in a process with a session of its own below the first: {@code tail} keeps
   * what has no line end in memory, and the pause keeps it there.
   */
  private static final String HOLD =
      "(setsid sh -c '{ head -c %dm /dev/zero; sleep 300; } | tail -n 1 & wait') & wait";

  private SpawnRequest stating(String name, String mebibytes, String script) throws IOException {
    SpawnRequest plain = keeper.requests(name).shell(keeper.key(name), script);
    Map<String, String> environment = new HashMap<>(plain.environment());
    environment.put("REMUDA_MEM_MIB", mebibytes);
    return new SpawnRequest(
        plain.key(),
        plain.argv(),
        environment,
        keeper.folder,
        plain.stdout(),
        plain.stderr(),
        plain.taskFolder(),
        plain.deviceLocks(),
        plain.contactMillis(),
        plain.graceMillis());
  }

  @Test
  void a_task_that_takes_more_than_it_has_stated_is_ended_and_the_cause_is_kept()
      throws IOException {
    SpawnRequest greedy = stating("greedy", "50", String.format(HOLD, 120));
    client.spawn(greedy);
    keeper.awaitExit(client, greedy.key());
    Optional<String> cause = LimitNote.read(greedy.taskFolder());
    assertTrue(cause.orElse("none").endsWith("more than its --mem of 50 MiB"), cause.toString());
  }

  @Test
  void tasks_that_keep_to_what_they_stated_or_have_stated_nothing_are_left_alone()
      throws IOException {
    SpawnRequest modest = stating("modest", "300", String.format(HOLD, 120));
    SpawnRequest free = stating("free", "0", String.format(HOLD, 120));
    SpawnRequest greedy = stating("greedy", "50", String.format(HOLD, 120));
    client.spawn(modest);
    client.spawn(free);
    client.spawn(greedy);
    keeper.awaitExit(client, greedy.key()); // as many looks as that takes
    for (SpawnRequest task : new SpawnRequest[] {modest, free}) {
      assertEquals(Optional.empty(), LimitNote.read(task.taskFolder()));
      assertTrue(
          client.list().stream()
              .anyMatch(
                  view -> view.key().equals(task.key()) && view.state() == TaskView.State.RUNNING));
    }
    client.kill(modest.key(), 0);
    client.kill(free.key(), 0);
    keeper.awaitExit(client, modest.key());
    keeper.awaitExit(client, free.key());
  }

  @Test
  void memory_that_processes_share_counts_once() throws IOException {
    String share = keeper.folder.resolve("shared").toString();
    SpawnRequest forks =
        stating(
            "forks",
            "110",
            "python3 -c \"import mmap,os,time\n"
                + "m=mmap.mmap(-1,60<<20)\n"
                + "[m.write(b'x'*4096) for _ in range(60<<8)]\n"
                + "[m[i] for i in range(0,60<<20,4096)]\n"
                + "kids=[os.fork() for _ in range(2)]\n"
                + "[m[i] for i in range(0,60<<20,4096)]\n"
                + "open('"
                + share
                + "'+str(os.getpid()),'w'); time.sleep(300)\"");
    client.spawn(forks);
    await()
        .until(
            () -> {
              try (var files = Files.list(keeper.folder)) {
                return files.filter(f -> f.toString().contains("/shared")).count() == 4;
              }
            });
    SpawnRequest greedy = stating("greedy", "50", String.format(HOLD, 120));
    client.spawn(greedy);
    keeper.awaitExit(client, greedy.key());
    assertEquals(Optional.empty(), LimitNote.read(forks.taskFolder()));
    client.kill(forks.key(), 0);
    keeper.awaitExit(client, forks.key());
  }

  @Test
  void the_log_says_how_limits_are_kept_here() throws IOException {
    String log = Files.readString(keeper.log());
    assertTrue(log.contains("for their --mem") || log.contains("by control groups"), log);
  }
}
