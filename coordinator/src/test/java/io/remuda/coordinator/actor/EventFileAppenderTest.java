package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.testkit.Messages;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventFileAppenderTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
  private static final TaskChange CHANGE =
      new TaskChange(
          AttemptId.parse("1.0.2"),
          TaskState.RUNNING,
          TaskTrigger.INTERRUPTED,
          TaskState.WAITING,
          "n1",
          List.of(new DeviceId("GPU-1")),
          "signal 9");

  @TempDir private Path folder;

  @Test
  void every_row_is_one_json_object_and_is_there_at_once() throws IOException {
    Path file = folder.resolve("events.jsonl");
    BehaviorTestKit<EventFileAppender.Command> log =
        BehaviorTestKit.create(EventFileAppender.create(file, CLOCK));
    log.run(new EventFileAppender.NodeEvent("n1", "joined", null));
    log.run(new EventFileAppender.TaskEvent(CHANGE));
    assertEquals(
        List.of(
            "{\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"node\",\"node\":\"n1\","
                + "\"event\":\"joined\"}",
            "{\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"task\",\"task\":\"1.0\",\"attempt\":2,"
                + "\"from\":\"running\",\"to\":\"waiting\",\"node\":\"n1\","
                + "\"devices\":[\"GPU-1\"],\"releases\":true,\"cause\":\"signal 9\"}"),
        Files.readAllLines(file));
  }

  @Test
  void every_command_is_handled() {
    BehaviorTestKit<EventFileAppender.Command> log =
        BehaviorTestKit.create(EventFileAppender.create(folder.resolve("all.jsonl"), CLOCK));
    for (EventFileAppender.Command sample :
        Messages.oneOfEach(EventFileAppender.Command.class, CHANGE)) {
      log.run(sample);
      assertFalse(Behavior.isUnhandled(log.returnedBehavior()), sample.toString());
    }
  }
}
