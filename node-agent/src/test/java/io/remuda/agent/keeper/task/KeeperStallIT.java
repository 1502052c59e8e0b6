package io.remuda.agent.keeper.task;

import static io.remuda.agent.keeper.task.KeeperUnderTest.alive;
import static io.remuda.agent.keeper.task.KeeperUnderTest.awaitGone;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.CStrings;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.protocol.KeeperClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A keeper with files that cannot be opened for now, as on a disk that stands still: a pipe with a
 * name blocks a process that opens it to write until another opens it to read.
 */
@Tag("attack")
@Tag("attack-bad-disk")
@Timeout(60)
class KeeperStallIT extends WithKeeper {
  private final List<SpawnAnswer> answers = Collections.synchronizedList(new ArrayList<>());
  private final List<Path> stuck = new ArrayList<>();

  private final List<Integer> thawed = new ArrayList<>();

  @AfterEach
  void thawAllAndClose() throws IOException {
    thawAll();
    thawed.forEach(Posix::close);
  }

  private void thawAll() throws IOException {
    for (Path file : List.copyOf(stuck)) {
      thaw(file);
    }
  }

  private Path freeze(Path file) throws IOException, InterruptedException {
    Files.createDirectories(file.getParent());
    assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
    stuck.add(file);
    return file;
  }

  /** Lets the waiting processes continue, and those that open it until the end of the test. */
  private void thaw(Path file) throws IOException {
    stuck.remove(file);
    thawed.add(Posix.open(CStrings.of(file.toString()), Posix.O_RDWR, 0));
  }

  /** Spawns a task whose stdout cannot be opened yet. */
  private Path spawnStuck(String name, String script) throws IOException, InterruptedException {
    Requests requests = keeper.requests(name);
    SpawnRequest request = requests.shell(keeper.key(name), script);
    Path out = freeze(request.stdout());
    client.spawn(request, answers::add);
    return out;
  }

  private int spawn(String name) throws IOException {
    SpawnAnswer answer =
        client.spawn(keeper.requests(name).shell(keeper.key(name), "exec sleep 1000"));
    return (int) assertInstanceOf(SpawnAnswer.Started.class, answer).pid();
  }

  @Test
  void a_start_that_waits_for_its_disk_holds_up_no_other_and_no_answer() throws Exception {
    Path out = spawnStuck("stuck", "echo began > begun");
    int other = spawn("other");
    assertTrue(alive(other));
    assertEquals(1, client.list().size(), "what has no process yet is no task");
    client.kill(keeper.key("other"), 0);
    awaitGone(other);
    assertEquals(List.of(), answers);
    thaw(out);
    await().until(() -> answers.size() == 1);
    assertInstanceOf(SpawnAnswer.Started.class, answers.get(0));
    assertEquals(new ExitStatus.Code(0), keeper.awaitExit(client, keeper.key("stuck")).status());
  }

  @Test
  void one_that_is_withdrawn_while_it_waits_for_its_disk_never_begins() throws Exception {
    Path out = spawnStuck("stuck", "echo began > begun");
    client.withdraw(keeper.key("stuck"));
    assertEquals(List.of(), client.list());
    thaw(out);
    await().until(() -> answers.size() == 1);
    SpawnAnswer.Refused no = assertInstanceOf(SpawnAnswer.Refused.class, answers.get(0));
    assertEquals(RefusalCode.NOT_BEGUN, no.code());
    assertEquals("", keeper.read("begun"));
  }

  @Test
  void one_that_an_earlier_client_has_asked_for_does_not_begin_unless_the_next_asks_too()
      throws Exception {
    Path out = spawnStuck("stuck", "echo began > begun");
    spawnStuck("unwanted", "echo began > begun");
    KeeperClient next = keeper.client();
    assertEquals(List.of(), next.list());
    List<SpawnAnswer> again = new CopyOnWriteArrayList<>();
    next.spawn(
        keeper.requests("stuck").shell(keeper.key("stuck"), "echo again > begun"), again::add);
    thawAll();
    await().until(() -> again.size() == 1);
    assertInstanceOf(SpawnAnswer.Started.class, again.get(0));
    assertEquals(new ExitStatus.Code(0), keeper.awaitExit(next, keeper.key("stuck")).status());
    assertEquals("again\n", keeper.read("stuck/begun"));
    assertEquals(1, next.list().size(), "the other is no task");
    assertEquals("", keeper.read("unwanted/begun"));
  }

  @Test
  void tasks_are_ended_while_the_end_of_another_cannot_be_written() throws Exception {
    int first = spawn("first");
    int second = spawn("second");
    Path draft = freeze(keeper.folder.resolve("first").resolve("exit.tmp"));
    client.kill(keeper.key("first"), 0);
    awaitGone(first);
    client.kill(keeper.key("second"), 0);
    awaitGone(second);
    assertEquals(
        List.of(TaskView.State.ENDING, TaskView.State.ENDING),
        client.list().stream().map(TaskView::state).toList(),
        "what is not written down is not told");
    assertTrue(alive(spawn("third")), "and others start");
    thaw(draft);
    keeper.awaitExit(client, keeper.key("second"));
  }
}
