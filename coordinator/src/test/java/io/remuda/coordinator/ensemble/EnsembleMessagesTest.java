package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.coordinator.actor.TelemetryPostProcessor;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.testkit.Messages;
import io.remuda.coordinator.testkit.PlainNodes;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;

/** What a run is told. */
class EnsembleMessagesTest {
  @Test
  void every_command_is_handled() {
    List<Ensemble.Command> samples =
        Messages.oneOfEach(
            Ensemble.Command.class,
            Optional.empty(),
            new ClusterEvent.TelemetryClosed("n1"),
            new TelemetryPostProcessor.Finished(List.of()),
            Reply.no(Rejection.of(Rejection.Code.DISK, "the disk is full")));
    assertEquals(Ensemble.Command.class.getPermittedSubclasses().length, samples.size());
    for (Ensemble.Command sample : samples) {
      RunUnderTest run = new RunUnderTest(1).withoutAnswers().joins("n1").tell(sample);
      assertFalse(Behavior.isUnhandled(run.behavior()), sample.toString());
    }
  }

  @Test
  void every_event_of_the_cluster_is_handled() {
    RunUnderTest run = new RunUnderTest(2).running("n1");
    List<ClusterEvent> events =
        Messages.oneOfEach(
            ClusterEvent.class,
            PlainNodes.node(
                "n1",
                new HostInfo("h1", "a CPU", 4, 4, 1, 1),
                List.of(),
                "test",
                Map.of(),
                true,
                false,
                Map.of()),
            new TaskChange(
                AttemptId.parse("1.0.1"),
                TaskState.WAITING,
                TaskTrigger.PLACED,
                TaskState.STARTING,
                "n1",
                List.of(),
                null),
            AttemptId.parse("1.0.1"),
            new WorkerEvent.Said("hello"),
            run.coordinator());
    for (ClusterEvent event : events) {
      run.happens(event);
      assertFalse(Behavior.isUnhandled(run.behavior()), event.toString());
    }
  }
}
