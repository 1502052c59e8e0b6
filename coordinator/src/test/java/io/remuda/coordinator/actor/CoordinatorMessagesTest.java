package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.coordinator.testkit.Messages;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.LeaseHolderProcess;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.protocol.ToWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;

/** What a coordinator is told. */
class CoordinatorMessagesTest extends WithCoordinator {

  @Test
  void every_command_is_handled() {
    TaskChange change =
        new TaskChange(
            FIRST, TaskState.WAITING, TaskTrigger.PLACED, TaskState.STARTING, "n1", List.of(), "");
    List<CoordinatorCommand> samples =
        Messages.oneOfEach(
            CoordinatorCommand.class,
            new CoordinatorCommand.Caller("ann", true),
            new CoordinatorCommand.WaitingTasks(Set.of(TaskState.WAITING), 0, 0),
            new UserRow("ann", 1, "00"),
            job(1, 0),
            Duration.ofSeconds(1),
            FIRST,
            new ToWorker.NoMoreItems(1),
            new LeasedProgramWorkload(12, 1, "python3"),
            new ResourceRequest(0, 1)
                .boundTo(new LeaseHolderProcess(12, List.of(new DeviceId("GPU-1")))),
            hello("n1", "boot", List.of()),
            new AgentMessage.Leaving("signal"),
            new ClusterEvent.TaskMoved(change),
            follower.getRef());
    assertEquals(Messages.implementations(CoordinatorCommand.class).size(), samples.size());
    for (CoordinatorCommand sample : samples) {
      run(sample);
      assertFalse(Behavior.isUnhandled(coordinator.returnedBehavior()), sample.toString());
      assertTrue(coordinator.isAlive(), sample.toString());
    }
  }

  @Test
  void it_looks_at_the_clock_once_a_tick() {
    assertTrue(
        coordinator.getAllEffects().stream()
            .filter(Effect.TimerScheduled.class::isInstance)
            .map(effect -> ((Effect.TimerScheduled<?>) effect).delay().toMillis())
            .toList()
            .contains(1000L));
  }
}
