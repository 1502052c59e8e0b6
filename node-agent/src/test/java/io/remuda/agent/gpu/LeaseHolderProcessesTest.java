package io.remuda.agent.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.attempt.DeviceLeaseRecord;
import io.remuda.worker.job.AttemptId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** This process acts as a leased program, and a child of it as a process below. */
class LeaseHolderProcessesTest {
  private static final AttemptId OUTER = AttemptId.parse("1.0.1");
  private static final AttemptId INNER = AttemptId.parse("2.0.1");

  private final LeaseHolderProcesses programs = new LeaseHolderProcesses();
  private Process child;

  @BeforeEach
  void start() throws Exception {
    child = new ProcessBuilder("sleep", "1000").start();
  }

  @AfterEach
  void end() {
    child.destroyForcibly();
  }

  private static DeviceLeaseRecord note(long pid) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String ticks = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
    return new DeviceLeaseRecord(pid, Long.parseLong(ticks), List.of());
  }

  private static long self() {
    return ProcessHandle.current().pid();
  }

  @Test
  void what_a_program_has_started_belongs_to_its_lease() throws Exception {
    programs.add(OUTER, note(self()));
    assertEquals(Optional.of(OUTER), programs.ownerOf(self()));
    assertEquals(Optional.of(OUTER), programs.ownerOf(child.pid()));
    assertEquals(Optional.empty(), programs.ownerOf(1));
  }

  @Test
  void of_several_contact_deadlines_the_nearest_counts() throws Exception {
    programs.add(OUTER, note(self()));
    programs.add(INNER, note(child.pid()));
    assertEquals(Optional.of(INNER), programs.ownerOf(child.pid()));
    programs.remove(INNER);
    assertEquals(Optional.of(OUTER), programs.ownerOf(child.pid()));
  }

  @Test
  void a_later_process_of_the_same_number_is_another_one() throws Exception {
    DeviceLeaseRecord now = note(self());
    programs.add(OUTER, new DeviceLeaseRecord(now.pid(), now.startTicks() - 1, List.of()));
    assertEquals(Optional.empty(), programs.ownerOf(child.pid()));
  }
}
