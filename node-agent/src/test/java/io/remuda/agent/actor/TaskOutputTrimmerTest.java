package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.attempt.StoredOutputReader;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of the output of a node's tasks. */
class TaskOutputTrimmerTest {
  private static final AttemptId RUNNING = AttemptId.parse("1.0.1");
  private static final AttemptId OTHER = AttemptId.parse("2.0.1");
  private static final int PRINTED = 500_000;

  @TempDir private Path root;
  private AgentSettings settings;
  private BehaviorTestKit<TaskOutputTrimmer.Command> watch;

  @BeforeEach
  void watch() {
    settings = TestAgents.settings(root);
    watch =
        BehaviorTestKit.create(
            TaskOutputTrimmer.create(settings),
            "watch",
            ConfigFactory.parseString("remuda.agent.output-limit = 64KiB")
                .withFallback(ConfigFactory.defaultReference()));
  }

  private static TaskFolder print(TaskFolder folder, String line) throws IOException {
    Files.createDirectories(folder.path());
    for (Path file : folder.outputs()) {
      Files.writeString(file, line.repeat(PRINTED / line.length()));
    }
    return folder;
  }

  private AgentMessage.Output read(AttemptId attempt, OutputStreamName stream, long offset) {
    return StoredOutputReader.answer(
        settings.folder(), settings.node(), new ReadOutput(7, attempt, stream, offset, 1 << 20));
  }

  @Test
  void both_streams_of_every_task_are_looked_at() throws IOException {
    print(TaskFolder.of(settings, RUNNING), "a line\n");
    print(TaskFolder.of(settings, OTHER), "another\n");
    watch.run(TaskOutputTrimmer.Look.INSTANCE);
    for (AttemptId attempt : new AttemptId[] {RUNNING, OTHER}) {
      for (OutputStreamName stream : OutputStreamName.values()) {
        AgentMessage.Output head = read(attempt, stream, 0);
        AgentMessage.Output tail = read(attempt, stream, head.bytes().length);
        assertEquals(16 << 10, head.bytes().length);
        assertTrue(tail.dropped() > PRINTED - (64 << 10), "dropped " + tail.dropped());
        assertEquals(tail.size(), tail.offset() + tail.bytes().length);
      }
    }
  }

  @Test
  void what_an_ended_task_has_printed_since_the_last_look_is_looked_at_where_it_is_then()
      throws IOException {
    watch.run(TaskOutputTrimmer.Look.INSTANCE);
    TaskFolder ended = print(TaskFolder.ended(settings, RUNNING), "a line\n");
    watch.run(new TaskOutputTrimmer.Ended(ended));
    assertTrue(read(RUNNING, OutputStreamName.OUT, 20_000).dropped() > 0);
  }

  @Test
  void a_task_that_is_put_away_between_looks_is_no_fault() throws IOException {
    TaskFolder folder = print(TaskFolder.of(settings, RUNNING), "a line\n");
    watch.run(TaskOutputTrimmer.Look.INSTANCE);
    long dropped = read(RUNNING, OutputStreamName.OUT, 20_000).dropped();
    folder.retire(settings);
    watch.run(TaskOutputTrimmer.Look.INSTANCE);
    watch.run(new TaskOutputTrimmer.Ended(TaskFolder.ended(settings, RUNNING)));
    assertEquals(dropped, read(RUNNING, OutputStreamName.OUT, 20_000).dropped());
    assertFalse(
        watch.getAllLogEntries().stream().anyMatch(entry -> entry.level().toInt() >= 30),
        watch.getAllLogEntries().toString());
  }

  @Test
  void of_a_task_that_is_not_there_nothing_is_told_but_that() {
    AgentMessage.Output answer = read(RUNNING, OutputStreamName.OUT, 0);
    assertTrue(
        answer.fault().startsWith("the output of 1.0.1 is no longer kept on n1"), answer.fault());
  }

  @Test
  void of_a_task_that_could_not_be_started_it_is_told_that_it_has_not_printed() throws IOException {
    Files.createDirectories(TaskFolder.ended(settings, RUNNING).path());
    assertEquals("1.0.1 has no output", read(RUNNING, OutputStreamName.OUT, 0).fault());
  }
}
