package io.remuda.agent.keeper.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain files stand for the kernel's: what is written into which, not what comes of it. */
class TaskCgroupsTest {
  private static final TaskLimits LIMITS = new TaskLimits(1 << 30, 0.5);

  @TempDir private Path base;

  @BeforeEach
  void makeGroup() throws IOException {
    Files.writeString(base.resolve("cgroup.controllers"), "cpu memory pids\n");
    Files.writeString(base.resolve("cgroup.procs"), "4711\n");
    Files.writeString(base.resolve("cgroup.subtree_control"), "");
  }

  private String written(String file) throws IOException {
    return Files.readString(base.resolve(file));
  }

  @Test
  void what_is_in_our_group_moves_down_so_that_groups_below_may_have_limits() throws IOException {
    TaskCgroups.in(base);
    assertEquals("4711", written("remuda/cgroup.procs"));
    assertEquals("+cpu", written("cgroup.subtree_control").substring(0, 4), "the last written");
  }

  @Test
  void a_task_has_its_memory_and_a_weight_by_its_cpus() throws IOException {
    TaskCgroups.in(base).put(99, "r1/n1/7.0.1", LIMITS);
    String group = "remuda-task-r1-n1-7.0.1/";
    assertEquals("1073741824", written(group + "memory.max"));
    assertEquals("1", written(group + "memory.oom.group"));
    assertEquals("50", written(group + "cpu.weight"));
    assertEquals("99", written(group + "cgroup.procs"));
  }

  @Test
  void a_kill_by_the_kernel_is_seen_when_the_task_is_gone() throws IOException {
    TaskCgroups groups = TaskCgroups.in(base);
    groups.put(99, "k", LIMITS);
    Path events = base.resolve("remuda-task-k/memory.events");
    Files.writeString(events, "low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\noom_group_kill 0\n");
    assertFalse(groups.remove("k"));
    Files.writeString(events, "low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n");
    assertTrue(groups.remove("k"));
  }

  @Test
  void groups_that_a_killed_keeper_has_left_go_and_others_stay() throws IOException {
    Files.createDirectories(base.resolve("remuda-task-left"));
    Files.createDirectories(base.resolve("remuda-task-busy/x"));
    TaskCgroups.in(base);
    assertFalse(Files.exists(base.resolve("remuda-task-left")));
    assertTrue(Files.exists(base.resolve("remuda-task-busy")));
  }

  @Test
  void a_group_that_cannot_limit_memory_is_of_no_use() throws IOException {
    Files.writeString(base.resolve("cgroup.controllers"), "cpu pids\n");
    assertThrows(IOException.class, () -> TaskCgroups.in(base));
    assertFalse(Files.exists(base.resolve("remuda")), "nothing was moved");
  }

  @Test
  void our_group_is_found_by_its_path_below_what_is_mounted() throws IOException {
    assertEquals("/a/b", TaskCgroups.ownPath(List.of("4:memory:/x", "0::/a/b")));
    assertThrows(IOException.class, () -> TaskCgroups.ownPath(List.of("4:memory:/x")));
    String whole = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw";
    assertEquals(Path.of("/sys/fs/cgroup/a/b"), TaskCgroups.own("/a/b", List.of("1 x", whole)));
    String part = "30 24 0:26 /a /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw";
    assertEquals(Path.of("/sys/fs/cgroup/b"), TaskCgroups.own("/a/b", List.of(part)));
    assertThrows(IOException.class, () -> TaskCgroups.own("/", List.of()));
  }
}
