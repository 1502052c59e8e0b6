package io.remuda.coordinator.schedule.model;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static io.remuda.coordinator.schedule.ScheduleSamples.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.schedule.LineBuilder;
import io.remuda.coordinator.schedule.model.TaskClass.Overtaking;
import io.remuda.coordinator.schedule.model.TaskClass.SchedulingKey;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskClassTest {

  @Test
  void its_head_is_its_first_task() {
    assertEquals(TaskId.parse("3.0"), tasks(3, 4).line().head());
  }

  @Test
  void it_has_a_task_a_key_and_a_word_on_overtaking() {
    SchedulingKey key = tasks(1, 1).key();
    TaskSet some = TaskSet.of(List.of(TaskId.parse("1.0")));
    TaskSet none = new TaskSet();
    assertEquals(
        "tasks must not be empty",
        assertThrows(
                IllegalArgumentException.class,
                () -> new TaskClass(key, none, 1, Overtaking.ALLOWED))
            .getMessage());
    assertThrows(
        NullPointerException.class, () -> new TaskClass(null, some, 1, Overtaking.ALLOWED));
    assertThrows(NullPointerException.class, () -> new TaskClass(key, some, 1, null));
  }

  @Test
  void tasks_are_alike_only_if_they_agree_in_everything_that_decides_their_place() {
    SchedulingKey key = tasks(1, 1).key();
    assertEquals(key, tasks(2, 5).key(), "the job does not matter");
    for (LineBuilder other :
        List.of(
            tasks(1, 1).priority(1),
            tasks(1, 1).of("bob"),
            tasks(1, 1).need(needs().cpus(0.001)),
            tasks(1, 1).by(PlacementPolicy.SPREAD),
            tasks(1, 1).limitMillis(1),
            tasks(1, 1).gang(),
            tasks(1, 1).type(type("train")),
            tasks(1, 1).again())) {
      assertNotEquals(key, other.key());
    }
    assertNotEquals(tasks(1, 1).gang().key(), tasks(2, 1).gang().key(), "gangs start by job");
  }

  @Test
  void the_short_key_has_no_type_and_has_not_run_out_of_memory() {
    ResourceRequest needs = needs().cpus(1).request();
    SchedulingKey key = new SchedulingKey(3, "ann", needs, PlacementPolicy.PACK, 5, null);
    assertNull(key.type());
    assertEquals(false, key.again());
    assertEquals(tasks(1, 1).priority(3).need(needs().cpus(1)).limitMillis(5).key(), key);
  }

  @Test
  void only_tasks_of_unknown_device_memory_are_measured() {
    assertEquals(
        true, tasks(1, 1).need(needs().gpus(1).gpuMemory(ResourceRequest.AUTO)).key().isMeasured());
    assertEquals(false, tasks(1, 1).need(needs().gpus(1).gpuMemory(1)).key().isMeasured());
    assertEquals(false, tasks(1, 1).need(needs().gpus(1)).key().isMeasured());
    assertEquals(false, tasks(1, 1).key().isMeasured());
  }
}
