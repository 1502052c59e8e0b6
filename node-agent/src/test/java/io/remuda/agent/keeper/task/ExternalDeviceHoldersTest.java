package io.remuda.agent.keeper.task;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.limit.DeviceLock;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that run already, as real processes. */
@Timeout(60)
class ExternalDeviceHoldersTest {
  private static final long LONG_MILLIS = 600_000;

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final BlockingQueue<TaskView> exited = new LinkedBlockingQueue<>();
  private DeviceLocks others;
  private ExternalDeviceHolders adopted;

  @BeforeEach
  void prepare() {
    Path locks = folder.resolve("locks");
    others = new DeviceLocks(locks);
    ExitRecorder recorder = new ExitRecorder();
    recorder.start();
    adopted =
        new ExternalDeviceHolders(
            BootClock.system(), new DeviceLocks(locks), recorder, exited::add);
  }

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private ProcStat program(String... argv) throws IOException {
    Process process = new ProcessBuilder(argv).start();
    processes.add(process);
    return ProcFiles.stat((int) process.pid());
  }

  private SpawnAnswer adopt(String key, ProcStat process) {
    return adopted.adopt(
        new DeviceHoldRequest(
            key, process.pid(), process.startTicks(), folder, List.of("GPU-1"), 10_000));
  }

  private TaskView nextExit() throws InterruptedException {
    return exited.poll(60, TimeUnit.SECONDS);
  }

  private boolean isLocked() {
    try {
      others.release(others.take(List.of("GPU-1")));
      return false;
    } catch (SpawnFailureException busy) {
      return true;
    }
  }

  @Test
  void a_program_holds_its_devices_until_its_process_ends_whatever_its_end() throws Exception {
    adopt("1.0.1", program("sleep", "1000"));
    assertTrue(isLocked());

    processes.get(0).destroyForcibly();

    TaskView end = nextExit();
    assertEquals("1.0.1", end.key());
    assertEquals(TaskView.State.EXITED, end.state());
    assertFalse(isLocked());
    assertEquals("1.0.1", ExitFile.read(folder).orElseThrow().key());
  }

  @Test
  void what_is_given_back_is_free_at_once_and_the_program_runs_on() throws Exception {
    adopt("1.0.1", program("sleep", "1000"));

    adopted.release("1.0.1");

    assertFalse(nextExit().exit().killed());
    assertFalse(isLocked());
    assertTrue(processes.get(0).isAlive());
    adopted.release("1.0.1"); // says nothing a second time
    assertTrue(exited.isEmpty());
  }

  @Test
  void a_program_that_is_ended_gets_a_signal_with_all_below_it() throws Exception {
    adopt("1.0.1", program("sh", "-c", "sleep 1000; true"));
    long child = awaitChild();

    adopted.kill("1.0.1", LONG_MILLIS);

    assertTrue(nextExit().exit().killed());
    assertTrue(ProcessHandle.of(child).map(ProcessHandle::onExit).isEmpty() || isGone(child));
  }

  private long awaitChild() {
    while (processes.get(0).children().findAny().isEmpty()) {
      Thread.onSpinWait();
    }
    return processes.get(0).children().findAny().orElseThrow().pid();
  }

  private static boolean isGone(long pid) throws Exception {
    return ProcessHandle.of(pid)
        .map(handle -> handle.onExit().orTimeout(50, TimeUnit.SECONDS).join() != null)
        .orElse(true);
  }

  @Test
  void one_that_does_not_heed_the_signal_is_killed_after_the_grace() throws Exception {
    adopt("1.0.1", program("sh", "-c", "trap '' TERM; while :; do sleep 1000; done"));

    adopted.kill("1.0.1", 0);

    assertTrue(nextExit().exit().killed());
    assertTrue(isGone(processes.get(0).pid())); // who started it may reap it a moment later
  }

  @Test
  void a_child_that_does_not_heed_the_signal_goes_with_its_program() throws Exception {
    adopt("1.0.1", program("sh", "-c", "sh -c 'trap \"\" TERM; sleep 1000 & wait; wait' & wait"));
    long child = awaitChild();

    adopted.kill("1.0.1", 0);

    assertTrue(nextExit().exit().killed());
    assertTrue(isGone(child));
  }

  @Test
  void the_service_itself_is_not_taken_for_a_program() {
    ProcStat self = ProcFiles.stat((int) ProcessHandle.current().pid());
    SpawnAnswer answer = adopt("1.0.1", self);
    assertEquals(RefusalCode.INVALID, assertInstanceOf(SpawnAnswer.Refused.class, answer).code());
  }

  @Test
  void a_process_of_another_start_is_not_taken_for_the_program() throws Exception {
    ProcStat sleeper = program("sleep", "1000");

    SpawnAnswer answer =
        adopted.adopt(
            new DeviceHoldRequest(
                "1.0.1", sleeper.pid(), sleeper.startTicks() - 1, folder, List.of(), 0));

    assertEquals(RefusalCode.GONE, assertInstanceOf(SpawnAnswer.Refused.class, answer).code());
    assertTrue(adopted.views().isEmpty());
  }

  @Test
  void a_device_that_somebody_else_holds_is_not_lent() throws Exception {
    List<DeviceLock> theirs = others.take(List.of("GPU-1"));

    SpawnAnswer answer = adopt("1.0.1", program("sleep", "1000"));

    assertEquals(
        RefusalCode.DEVICE_BUSY, assertInstanceOf(SpawnAnswer.Refused.class, answer).code());
    others.release(theirs);
  }

  @Test
  void a_key_that_is_known_changes_nothing() throws Exception {
    ProcStat sleeper = program("sleep", "1000");
    adopt("1.0.1", sleeper);

    SpawnAnswer.Known again = assertInstanceOf(SpawnAnswer.Known.class, adopt("1.0.1", sleeper));

    assertEquals(TaskView.State.RUNNING, again.task().state());
    assertEquals(1, adopted.live());
    adopted.release("1.0.1");
    await().until(() -> adopted.live() == 0); // its end is written down
    adopted.forget("1.0.1");
    assertTrue(adopted.views().isEmpty());
  }
}
