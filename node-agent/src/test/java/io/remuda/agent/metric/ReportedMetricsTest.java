package io.remuda.agent.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportedMetricsTest {

  private static final AttemptId ATTEMPT = AttemptId.parse("1.0.1");

  @TempDir private Path home;
  private final List<AgentMessage.Metrics> sent = new ArrayList<>();
  private long nanos;
  private TaskFolder folder;
  private ReportedMetrics metrics;

  /** Does all work at once. */
  private static final class AtOnce implements FileWork {
    @Override
    public void add(Runnable work) {
      work.run();
    }

    @Override
    public Duration busy() {
      return Duration.ZERO;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void begin() throws IOException {
    AgentSettings settings = TestAgents.settings(home);
    folder = TaskFolder.of(settings, ATTEMPT);
    Files.createDirectories(folder.scratch());
    metrics =
        new ReportedMetrics(settings, new AtOnce(), () -> nanos, Clock.systemUTC(), sent::add);
  }

  private void says(String lines) throws IOException {
    Files.writeString(
        folder.metrics(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void a_server_that_does_not_know_the_message_gets_none_and_the_next_one_gets_all()
      throws IOException {
    says("a 1\n");
    metrics.look(List.of(ATTEMPT));
    metrics.end(ATTEMPT);
    assertEquals(List.of(), sent);
    assertTrue(metrics.isPending());
    metrics.wanted(true);
    nanos += TimeUnit.SECONDS.toNanos(5);
    metrics.look(List.of());
    assertEquals(1, sent.size());
    metrics.kept(ATTEMPT, sent.get(0).until());
    assertFalse(metrics.isPending());
  }

  @Test
  void lines_behind_a_batch_that_nobody_acknowledges_do_not_grow_without_bound()
      throws IOException {
    metrics.wanted(true);
    says("a 1\n");
    metrics.look(List.of(ATTEMPT));
    says("b 1\n".repeat(5_000_000));
    metrics.look(List.of(ATTEMPT));
    metrics.kept(ATTEMPT, sent.get(0).until());
    metrics.look(List.of(ATTEMPT));
    assertEquals(2, sent.size());
    assertTrue(sent.get(1).notes().containsKey("flood"), sent::toString);
  }
}
