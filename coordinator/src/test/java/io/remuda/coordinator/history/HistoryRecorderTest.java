package io.remuda.coordinator.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorQuestion;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.api.MetricsReported;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryRecorderTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final ClusterActivity NOTHING =
      new ClusterActivity(
          new ClusterNodesSnapshot(
              List.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(),
              Map.of()),
          Map.of(),
          new QueueCounts(2, 1, Map.of(), Map.of()));

  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<CoordinatorCommand> coordinator = kit.createTestProbe();
  private final HistoryArchive archive = new HistoryArchive();
  @TempDir private Path home;

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private ActorRef<HistoryRecorder.Command> start() {
    return kit.spawn(
        HistoryRecorder.create(
            home, 1 << 20, archive, coordinator.getRef(), jobs -> jobs, Clock.systemUTC()));
  }

  private void answer(ClusterActivity activity) {
    ((CoordinatorQuestion.LookAtActivity) coordinator.receiveMessage(SOON))
        .replyTo()
        .tell(activity);
  }

  @Test
  void each_answer_is_kept_and_an_end_writes_what_is_not_written() throws IOException {
    ActorRef<HistoryRecorder.Command> recorder = start();
    answer(NOTHING);
    coordinator.receiveMessage(SOON); // it asks again once the answer is there
    kit.stop(recorder, SOON);
    assertTrue(archive.store().isEmpty());
    long now = Clock.systemUTC().instant().getEpochSecond();
    try (HistoryStore store = HistoryStore.open(home.resolve("history"), 1 << 20, now)) {
      assertEquals(1, store.keys(SeriesKind.QUEUE, HistoryTier.SECOND, now - 120, now + 1).size());
    }
  }

  @Test
  void the_curves_of_jobs_that_are_removed_are_removed() throws IOException {
    Path curves = Files.createDirectories(home.resolve("history/curves"));
    Files.createFile(curves.resolve("7.curves"));
    Files.createFile(curves.resolve("8.curves"));
    kit.spawn(
        HistoryRecorder.create(
            home, 1 << 20, archive, coordinator.getRef(), jobs -> Set.of(8L), Clock.systemUTC()));
    answer(NOTHING);
    coordinator.receiveMessage(SOON);
    assertFalse(Files.exists(curves.resolve("7.curves")));
    assertTrue(Files.exists(curves.resolve("8.curves")));
  }

  @Test
  void a_server_without_history_acknowledges_what_programs_report() {
    kit.spawn(HistoryRecorder.keepingNothing());
    TestProbe<MessageToAgentSession> session = kit.createTestProbe();
    AgentMessage.Metrics reported =
        new AgentMessage.Metrics(AttemptId.parse("7.0.1"), 10, 20, Map.of(), Map.of());
    assertEquals(
        new MessageToAgentSession.Send(
            new CoordinatorMessage.MetricsKept(AttemptId.parse("7.0.1"), 20)),
        session.awaitAssert(
            SOON,
            () -> { // until it has subscribed
              kit.system()
                  .eventStream()
                  .tell(new EventStream.Publish<>(new MetricsReported(reported, session.getRef())));
              return session.receiveMessage(Duration.ofMillis(100));
            }));
  }

  @Test
  void a_fault_that_nobody_has_foreseen_costs_seconds_and_no_more() {
    start();
    answer(new ClusterActivity(null, Map.of(), null));
    answer(NOTHING);
    coordinator.receiveMessage(SOON);
    assertTrue(archive.store().isPresent());
  }

  @Test
  void a_part_that_cannot_be_opened_leaves_no_other_open() throws IOException {
    Files.createDirectories(home.resolve("history"));
    Files.writeString(home.resolve("history/gpus"), "a file of somebody's");
    start();
    coordinator.expectNoMessage(Duration.ofSeconds(2));
    assertTrue(archive.store().isEmpty());
    assertTrue(archive.curves().isEmpty());
  }

  @Test
  void curves_that_cannot_be_written_at_the_end_leave_the_points_to_be_written()
      throws IOException {
    Files.createDirectories(home.resolve("history/curves/live.tmp/in-the-way"));
    ActorRef<HistoryRecorder.Command> recorder = start();
    answer(NOTHING);
    coordinator.receiveMessage(SOON);
    kit.stop(recorder, SOON);
    long now = Clock.systemUTC().instant().getEpochSecond();
    try (HistoryStore store = HistoryStore.open(home.resolve("history"), 1 << 20, now)) {
      assertEquals(1, store.keys(SeriesKind.QUEUE, HistoryTier.SECOND, now - 120, now + 1).size());
    }
  }

  @Test
  void a_folder_that_cannot_be_used_keeps_nothing_and_asks_nobody() throws IOException {
    Files.writeString(home.resolve("history"), "a file of somebody's");
    start();
    coordinator.expectNoMessage(Duration.ofSeconds(2));
    assertTrue(archive.store().isEmpty());
  }
}
