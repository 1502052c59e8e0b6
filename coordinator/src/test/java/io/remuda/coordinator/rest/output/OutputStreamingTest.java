package io.remuda.coordinator.rest.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.rest.view.UnreachableNodeOutput;
import io.remuda.coordinator.store.ReferencedStoredJobs;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.StoreSamples;
import io.remuda.worker.job.JobId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.http.javadsl.model.sse.ServerSentEvent;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OutputStreamingTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString(
              "remuda.blocking-dispatcher { type = Dispatcher, executor = thread-pool-executor,"
                  + " thread-pool-executor.fixed-pool-size = 2 }"));
  private static final JobId JOB = new JobId(1);
  private static final int PART = 256 << 10;

  @TempDir private Path folder;
  private final FakeOutputs outputs = new FakeOutputs();
  private final FollowerMemoryBudget followers = new FollowerMemoryBudget();
  private ReferencedStoredJobs jobs;
  private Clock clock = Clock.systemUTC();

  @BeforeEach
  void open() throws Exception {
    jobs = ReferencedStoredJobs.open(folder);
  }

  @AfterEach
  void close() {
    jobs.close();
  }

  @AfterAll
  static void end() {
    KIT.shutdownTestKit();
  }

  /** A follower that takes events one by one. */
  private final class Follower implements AutoCloseable {
    private final StoreReader reader;
    private final SinkQueueWithCancel<ServerSentEvent> events;
    private final Map<String, ByteArrayOutputStream> out = new HashMap<>();
    private final List<String> types = new ArrayList<>();
    private final OutputPosition position = new OutputPosition();
    private long received;
    private JsonNode lastOut;

    private Follower(String after) throws Exception {
      this(after, OutputStreaming.Attempts.NEWEST);
    }

    private Follower(String after, OutputStreaming.Attempts which) throws Exception {
      this(after, new OutputStreaming.Wanted(which, null));
    }

    private Follower(String after, OutputStreaming.Wanted wanted) throws Exception {
      reader = jobs.reader();
      RestBackend backend =
          new RestBackend(
              KIT.system(),
              KnownLeader.of(KIT.spawn(outputs.behavior())),
              KIT.system().ignoreRef(),
              reader,
              new UnreachableNodeOutput(Path.of("/none")));
      events =
          new OutputStreaming(backend, JOB, OutputPosition.parse(after), wanted, followers, clock)
              .events()
              .runWith(
                  Sink.<ServerSentEvent>queue().withAttributes(Attributes.inputBuffer(1, 1)),
                  KIT.system());
    }

    /** False at the end of the stream. */
    private boolean takeOne() throws Exception {
      Optional<ServerSentEvent> next =
          events.pull().toCompletableFuture().get(60, TimeUnit.SECONDS);
      if (next.isEmpty()) {
        return false;
      }
      String type = next.get().getEventType().orElse("");
      types.add(type);
      JsonNode data = RestClient.JSON.readTree(next.get().getData());
      if (type.equals("out")) {
        lastOut = data;
        byte[] bytes = Base64.getDecoder().decode(data.path("data").asText());
        received += bytes.length;
        String attempt = data.path("task").asText() + "." + data.path("attempt").asInt();
        ByteArrayOutputStream sink =
            out.computeIfAbsent(attempt, none -> new ByteArrayOutputStream());
        assertEquals(sink.size() + offsetOf(attempt), data.path("offset").asLong(), attempt);
        sink.write(bytes);
      } else if (type.equals("done")) {
        position.done(data.path("tasks").asText());
      }
      return true;
    }

    private long offsetOf(String attempt) {
      return starts.getOrDefault(attempt, 0L);
    }

    private final Map<String, Long> starts = new HashMap<>();

    private void takeUntil(String type) throws Exception {
      while (!types.contains(type)) {
        assertTrue(takeOne(), () -> "ended with " + types);
      }
    }

    private String text(String attempt) {
      return out.containsKey(attempt) ? out.get(attempt).toString(StandardCharsets.UTF_8) : "";
    }

    @Override
    public void close() throws Exception {
      events.cancel();
      reader.close();
    }
  }

  private void prints(String attempt, String text) {
    outputs.printed.put(attempt, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  void no_more_is_read_than_its_client_has_nearly_taken() throws Exception {
    int tasks = 100;
    for (int i = 0; i < tasks; i++) {
      outputs.printed.put("1." + i + ".1", new byte[PART]);
    }
    jobs.ended(JOB, tasks);
    try (Follower follower = new Follower("")) {
      while (follower.takeOne()) {
        long held = outputs.served.get() - follower.received;
        assertTrue(held <= 9L * PART, held + " bytes are held");
      }
      assertEquals((long) tasks * PART, follower.received);
      assertEquals("end", follower.types.get(follower.types.size() - 1));
      assertEquals("0-99", follower.position.toString());
    }
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  void who_comes_back_gets_what_is_missing_and_nothing_twice() throws Exception {
    prints("1.0.1", "zero");
    prints("1.1.1", "first and second");
    prints("1.2.1", "two");
    jobs.ended(JOB, 3);
    try (Follower follower = new Follower("0_1.1.6.0")) {
      follower.starts.put("1.1.1", 6L);
      follower.takeUntil("end");
      assertEquals("", follower.text("1.0.1"));
      assertEquals("and second", follower.text("1.1.1"));
      assertEquals("two", follower.text("1.2.1"));
      assertFalse(outputs.asked.contains("n1 1.0.1 0"), outputs.asked.toString());
    }
  }

  @Test
  void what_an_attempt_printed_last_comes_before_the_next_ones() throws Exception {
    prints("1.0.1", "begin");
    jobs.runs(JOB, 0, 1, "n1");
    try (Follower follower = new Follower("")) {
      follower.takeUntil("out");
      prints("1.0.1", "begin, end");
      prints("1.0.2", "again");
      jobs.runs(JOB, 0, 2, "n2");
      jobs.ends(JOB, 0, 2, "n2", TaskState.SUCCEEDED);
      follower.takeUntil("end");
      assertEquals("begin, end", follower.text("1.0.1"));
      assertEquals("again", follower.text("1.0.2"));
      assertTrue(outputs.asked.contains("n1 1.0.1 5"), outputs.asked.toString());
    }
  }

  @Test
  void who_follows_all_attempts_misses_none_that_was_over_between_two_looks() throws Exception {
    prints("1.0.1", "first");
    prints("1.0.2", "second");
    prints("1.0.3", "third");
    jobs.runs(JOB, 0, 1, "n1");
    jobs.runs(JOB, 0, 2, "n2");
    jobs.runs(JOB, 0, 3, "n1");
    jobs.ends(JOB, 0, 3, "n1", TaskState.SUCCEEDED);
    try (Follower follower = new Follower("", OutputStreaming.Attempts.ALL)) {
      follower.takeUntil("end");
      assertEquals("first", follower.text("1.0.1"));
      assertEquals("second", follower.text("1.0.2"));
      assertEquals("third", follower.text("1.0.3"));
    }
    try (Follower late = new Follower("")) {
      late.takeUntil("end");
      assertEquals("", late.text("1.0.1"));
      assertEquals("third", late.text("1.0.3"));
    }
  }

  @Test
  void what_is_on_a_node_that_is_away_comes_once_it_is_back() throws Exception {
    prints("1.0.1", "text");
    outputs.away.add("n1");
    jobs.runs(JOB, 0, 1, "n1");
    try (Follower follower = new Follower("")) {
      follower.takeUntil("state");
      jobs.ends(JOB, 0, 1, "n1", TaskState.SUCCEEDED);
      outputs.away.clear();
      follower.takeUntil("end");
      assertEquals("text", follower.text("1.0.1"));
    }
  }

  @Test
  void output_of_a_node_that_stays_away_is_said_to_be_missing() throws Exception {
    prints("1.0.1", "text");
    jobs.ended(JOB, 1);
    outputs.away.add("n1");
    clock = Clock.offset(StoreSamples.CLOCK, Duration.ofMinutes(1)); // after the job's end
    try (Follower follower = new Follower("")) {
      follower.takeUntil("missing");
      assertEquals(List.of("state", "missing"), follower.types);
      follower.takeUntil("end");
    }
  }

  @Test
  void they_share_what_the_server_holds() throws Exception {
    assertEquals(PART, followers.bytes(8));
    for (int i = 0; i < 500; i++) {
      followers.joined();
    }
    assertTrue(500L * 8 * followers.bytes(8) <= 16 << 20);
    for (int i = 0; i < 500; i++) {
      followers.left();
    }
    jobs.ended(JOB, 1);
    try (Follower follower = new Follower("")) {
      follower.takeUntil("end");
      assertFalse(follower.takeOne());
    }
    assertEquals(PART, followers.bytes(8));
  }

  @Test
  void a_client_on_the_nodes_machine_gets_a_place_for_what_follows_and_reads_it_there()
      throws Exception {
    jobs.ended(JOB, 1);
    outputs.printed.put("1.0.1", new byte[3 * PART + 7]);
    try (Follower here =
        new Follower("", new OutputStreaming.Wanted(OutputStreaming.Attempts.NEWEST, "m/1"))) {
      here.takeUntil("end");
      assertEquals(1, here.types.stream().filter("out"::equals).count());
      assertEquals("in m/1", here.lastOut.path("place").asText());
      assertEquals(3 * PART + 7, here.lastOut.path("size").asLong());
      assertTrue(outputs.served.get() <= PART, () -> "bytes sent: " + outputs.served);
    }
  }
}
