package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Items and trainings, and their results. */
class EnsembleWorkTest {
  @Test
  void a_worker_that_wants_items_gets_a_range_under_its_question_and_then_no_more() {
    RunUnderTest run = new RunUnderTest(1).running("n1");
    run.toldToCoordinator();
    for (long sequence = 1; sequence <= 5; sequence++) {
      run.told("2.0.1", sequence, new WorkerEvent.ItemsWanted());
    }
    assertEquals(
        List.of(
            new ToWorker.ItemsGranted(1, 0, 1),
            new ToWorker.ItemsGranted(2, 1, 2),
            new ToWorker.ItemsGranted(3, 2, 3),
            new ToWorker.ItemsGranted(4, 3, 4),
            new ToWorker.NoMoreItems(5)),
        run.answers());
  }

  @Test
  void the_items_of_a_lost_worker_go_to_its_next_attempt() {
    RunUnderTest run =
        new RunUnderTest(1).running("n1").told("2.0.1", 1, new WorkerEvent.ItemsWanted());
    run.ends("2.0.1", TaskTrigger.INTERRUPTED, TaskState.WAITING, "signal 9");
    run.toldToCoordinator();
    run.told("2.0.2", 1, new WorkerEvent.ItemsWanted());
    assertEquals(List.of(new ToWorker.ItemsGranted(1, 0, 1)), run.answers());
    assertEquals(
        List.of(
            "no node has a GPU (n1: test): the MNIST workers train on the CPU",
            "scipy worker 0 was interrupted on node n1 (signal 9); it runs again"),
        run.notes());
  }

  @Test
  void a_failed_training_makes_the_status_1_and_the_others_are_reported() {
    RunUnderTest run = new RunUnderTest(1).running("n1").convolved().trained("1.0.1", 0.5);
    run.ends("1.1.1", TaskTrigger.BROKE, TaskState.FAILED, "DataException: no file");
    assertEquals(1, run.closed("n1").drained().nodesEnded().exitCode());
    assertTrue(run.lines().contains("Final test for learning rate 0.5: loss: 0.25 accuracy: 97.5"));
    assertTrue(run.notes().contains("learning rate 1.5 failed: DataException: no file"));
  }

  @Test
  void a_failed_image_makes_the_status_1() {
    RunUnderTest run = new RunUnderTest(1).running("n1");
    run.told("2.0.1", 1, new WorkerEvent.ItemsWanted());
    run.told(
        "2.0.1",
        2,
        new WorkerEvent.ItemsDone(0, 1, List.of(new WorkerEvent.ItemFailure(0, "NaN"))));
    for (int item = 1; item < 4; item++) {
      run.told("2.0.1", 2L * item + 1, new WorkerEvent.ItemsWanted());
      run.told("2.0.1", 2L * item + 2, new WorkerEvent.ItemsDone(item, item + 1, List.of()));
    }
    run.succeeds("2.0.1").trained("1.0.1", 0.5).trained("1.1.1", 1.5);
    assertEquals(1, run.closed("n1").drained().nodesEnded().exitCode());
    assertTrue(run.notes().contains("image 0 failed: NaN"));
  }

  @Test
  void a_scipy_worker_given_up_leaves_images_and_makes_the_status_1() {
    RunUnderTest run =
        new RunUnderTest(1).running("n1").trained("1.0.1", 0.5).trained("1.1.1", 1.5);
    run.ends("2.0.1", TaskTrigger.INTERRUPTED_TOO_OFTEN, TaskState.LOST, "exit code 134");
    assertEquals(1, run.closed("n1").drained().nodesEnded().exitCode());
    assertTrue(run.notes().contains("scipy worker 0 failed: exit code 134"));
    assertTrue(run.notes().contains("4 images were not processed"));
  }

  @Test
  void progress_is_told_in_words() {
    RunUnderTest run = new RunUnderTest(1).running("n1");
    run.told("1.1.1", 1, new WorkerEvent.Said("trains on the CPU"));
    run.told("1.0.1", 1, new WorkerEvent.EpochDone(1, 2, 0.5, 0.0625, 98.125, 12.34));
    run.told("2.0.1", 1, new WorkerEvent.ItemsWanted());
    run.told("2.0.1", 2, new WorkerEvent.ItemsDone(0, 1, List.of()));
    run.timer("NoteImages");
    run.timer("NoteImages");
    assertEquals(
        List.of(
            "learning rate 1.5: trains on the CPU",
            "learning rate 0.5: epoch 1/2 loss 0.0625 accuracy 98.13 % (12.3 s)",
            "images: 1/4"),
        run.notes().stream().skip(1).toList());
  }
}
