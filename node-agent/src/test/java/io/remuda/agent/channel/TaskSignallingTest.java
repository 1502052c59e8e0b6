package io.remuda.agent.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskSignal;
import io.remuda.worker.job.TaskId;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Signals to a real process that stands for a task. */
class TaskSignallingTest {
  private static final TaskId TASK = TaskId.parse("3.0");
  private static final TaskSignal USR1 = TaskSignal.parse("USR1");

  @Test
  void the_first_process_of_a_task_gets_it() throws Exception {
    Process task =
        new ProcessBuilder(
                "setsid",
                "sh",
                "-c",
                "trap 'echo told; exit 7' USR1; echo $$; while :; do sleep 0.05; done")
            .start();
    try (BufferedReader out = task.inputReader()) {
      long pid = Long.parseLong(out.readLine());
      TaskSignalling.send(TASK, pid, USR1);
      assertEquals("told", out.readLine());
      assertTrue(task.waitFor(60, TimeUnit.SECONDS));
    } finally {
      task.destroyForcibly();
    }
  }

  @Test
  void a_process_that_leads_no_session_is_no_tasks() throws Exception {
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      assertThrows(IOException.class, () -> TaskSignalling.send(TASK, other.pid(), USR1));
      assertTrue(other.isAlive());
    } finally {
      other.destroyForcibly();
    }
    assertEquals(
        "task 3.0 does not run",
        assertThrows(IOException.class, () -> TaskSignalling.send(TASK, 0, USR1)).getMessage());
  }
}
