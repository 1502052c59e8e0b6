package io.remuda.agent.keeper.task;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.worker.job.EndingTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a task can still do between SIGTERM and SIGKILL, and before its time limit. */
class KeeperGraceIT extends WithKeeper {
  private static final long LONG_MILLIS = 60_000;
  private static final EndingSignal USR1 = new EndingSignal(10, ReachedProcesses.FIRST);

  private void awaitFile(String name) {
    await().until(() -> Files.exists(keeper.folder.resolve(name)));
  }

  private String read(String name) throws IOException {
    return Files.readString(keeper.folder.resolve(name)).trim();
  }

  @Test
  void a_handler_that_saves_by_starting_programs_ends_with_its_file_complete() throws IOException {
    String key = keeper.key("saves");
    client.spawn(
        keeper
            .requests()
            .withGrace(LONG_MILLIS)
            .shell(
                key,
                "save() { sleep 1; cp model draft; sync draft; mv draft saved; exit 7; };"
                    + " trap save TERM; echo weights > model; touch ready;"
                    + " while :; do sleep 0.1; done"));
    awaitFile("ready");
    client.kill(key, LONG_MILLIS);
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals(new ExitStatus.Code(7), exit.status());
    assertEquals("weights", read("saved"));
  }

  @Test
  void what_outlives_a_first_process_that_sigterm_has_ended_has_the_rest_of_the_grace()
      throws IOException {
    String key = keeper.key("outlives");
    String child = "trap 'sleep 1.5; touch saved; exit' TERM; touch ready; sleep 1000 & wait; wait";
    client.spawn(
        keeper.requests().withGrace(LONG_MILLIS).shell(key, "sh -c \"" + child + "\" & wait"));
    awaitFile("ready");
    client.kill(key, LONG_MILLIS);
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals(new ExitStatus.Signal(Posix.SIGTERM, false), exit.status());
    assertTrue(Files.exists(keeper.folder.resolve("saved")));
  }

  @Test
  void a_program_that_a_handler_starts_gets_no_sigterm() throws IOException {
    String key = keeper.key("starts");
    client.spawn(
        keeper
            .requests()
            .withGrace(LONG_MILLIS)
            .shell(
                key,
                "save() { sh -c 'trap \"touch told\" TERM; sleep 0.2; sleep 0.2; sleep 0.2'; exit;"
                    + " }; trap save TERM; touch ready; while :; do sleep 0.1; done"));
    awaitFile("ready");
    client.kill(key, LONG_MILLIS);
    keeper.awaitExit(client, key);
    assertFalse(Files.exists(keeper.folder.resolve("told")));
  }

  @Test
  void a_task_is_killed_after_its_own_grace_or_a_shorter_one_of_the_order() throws IOException {
    for (long own : new long[] {300, LONG_MILLIS}) {
      String key = keeper.key("deaf" + own);
      Path folder = Files.createDirectory(keeper.folder.resolve("deaf" + own));
      client.spawn(
          Requests.in(folder)
              .withGrace(own)
              .shell(key, "trap '' TERM; touch ready; while :; do sleep 1; done"));
      await().until(() -> Files.exists(folder.resolve("ready")));
      client.kill(key, own == LONG_MILLIS ? 300 : EndingTerms.MOST_GRACE_MILLIS);
      ExitRecord exit = keeper.awaitExit(client, key);
      assertEquals(new ExitStatus.Signal(Posix.SIGKILL, false), exit.status());
      assertTrue(exit.wallMillis() < LONG_MILLIS / 2, exit.toString());
    }
  }

  @Test
  void the_first_process_gets_its_signal_once_and_what_it_has_started_does_not()
      throws IOException {
    String key = keeper.key("warned");
    SpawnRequest plain =
        keeper
            .requests()
            .shell(
                key,
                "n=0; trap 'n=$((n+1))' USR1; sh -c 'sleep 6 & wait; echo $? > child' &"
                    + " while [ $n = 0 ]; do sleep 0.1; done; touch warned; wait; echo $n > count");
    client.spawn(
        new SpawnRequest(
            key,
            plain.argv(),
            Map.copyOf(plain.environment()),
            plain.workingFolder(),
            plain.stdout(),
            plain.stderr(),
            plain.taskFolder(),
            List.of(),
            0,
            LONG_MILLIS,
            SpawnRequest.OWN_UMASK,
            0,
            10,
            2000));
    awaitFile("warned");
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals(new ExitStatus.Code(0), exit.status());
    assertTrue(exit.wallMillis() >= 2000, exit.toString());
    assertEquals("1", read("count"));
    assertEquals("0", read("child"));
  }

  @Test
  void a_first_process_that_is_asked_by_its_own_signal_saves_and_the_others_are_left_alone()
      throws IOException {
    String key = keeper.key("leaves");
    client.spawn(
        keeper
            .requests()
            .withGrace(LONG_MILLIS)
            .shell(
                key,
                "trap 'sleep 0.5; touch saved; kill -9 $child; exit 3' USR1;"
                    + " sh -c 'trap \"touch told\" TERM USR1; while :; do sleep 0.1; done' &"
                    + " child=$!; touch ready; while :; do sleep 0.1; done"));
    awaitFile("ready");
    client.end(key, USR1, LONG_MILLIS);
    client.end(key, USR1, LONG_MILLIS); // repeated, as after a lost connection
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals(new ExitStatus.Code(3), exit.status());
    assertTrue(Files.exists(keeper.folder.resolve("saved")));
    assertFalse(Files.exists(keeper.folder.resolve("told")));
  }

  @Test
  void what_outlives_a_first_process_that_its_own_signal_has_ended_gets_sigterm()
      throws IOException {
    String key = keeper.key("orphans");
    String child = "trap 'touch told; exit' TERM; touch ready; while :; do sleep 0.1; done";
    Files.writeString(keeper.folder.resolve("child.sh"), child);
    String program = "BEGIN { system(\"sh child.sh\") }"; // no shell, which would be passed over
    client.spawn(keeper.requests().withGrace(LONG_MILLIS).run(key, "/usr/bin/awk", program));
    awaitFile("ready");
    client.end(key, USR1, LONG_MILLIS);
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals(new ExitStatus.Signal(10, false), exit.status());
    assertTrue(Files.exists(keeper.folder.resolve("told")));
  }

  @Test
  void one_that_has_been_asked_and_does_not_leave_can_still_be_ended() throws IOException {
    String key = keeper.key("stays");
    client.spawn(
        keeper
            .requests()
            .withGrace(LONG_MILLIS)
            .shell(key, "trap '' USR1; touch ready; while :; do sleep 0.1; done"));
    awaitFile("ready");
    client.end(key, USR1, LONG_MILLIS);
    client.kill(key, LONG_MILLIS);
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals(new ExitStatus.Signal(Posix.SIGTERM, false), exit.status());
  }
}
