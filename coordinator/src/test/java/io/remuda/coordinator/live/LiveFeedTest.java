package io.remuda.coordinator.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What those who look on get, and when. */
@Timeout(60)
class LiveFeedTest {
  private final WatchedCluster cluster = new WatchedCluster(2, 4);
  private final LiveFeed feed = cluster.feed();

  private LiveBatch next(String after) {
    CompletionStage<LiveBatch> asked = feed.next(after);
    if (!asked.toCompletableFuture().isDone()) {
      cluster.passes(LiveFeed.SHORTEST.toMillis());
    }
    return asked.toCompletableFuture().getNow(null);
  }

  @Test
  void who_has_nothing_gets_everything_and_then_what_changes() {
    LiveBatch first = next("");
    List<WatchedCluster.Event> all = WatchedCluster.events(first);
    assertEquals(
        List.of("server", "queue", "jobs", "wall"),
        all.stream().map(event -> event.name()).toList());
    JsonNode wall = all.get(3).data();
    assertEquals(2, wall.path("nodes").size());
    assertEquals(8, wall.path("gpus").size());
    JsonNode gpu = wall.at("/gpus/5");
    assertEquals(1, gpu.path("node").asInt());
    assertEquals("GPU-1-1", gpu.path("uuid").asText());
    assertEquals(37, gpu.path("utilization").asInt());
    assertEquals(30 << 10, gpu.path("usedMib").asInt());
    assertEquals(251, gpu.path("power").asInt());
    assertEquals(61, gpu.path("temperature").asInt());
    assertEquals(first.id(), all.get(3).id(), "the last event has the id");
    cluster.busy(5, 99);
    List<WatchedCluster.Event> changed = WatchedCluster.events(next(first.id()));
    assertEquals(1, changed.size(), changed::toString);
    assertEquals("wall-change", changed.get(0).name());
    assertEquals(
        "[[5,99,30720,30720,251,61]]", changed.get(0).data().path("gpuReadings").toString());
    assertEquals(0, changed.get(0).data().path("gpus").size());
  }

  @Test
  void what_seldom_changes_of_a_gpu_comes_whole_with_its_place() {
    LiveBatch first = next("");
    cluster.lends(2, "12.0.1");
    JsonNode changed = WatchedCluster.events(next(first.id())).get(0).data();
    assertEquals(2, changed.at("/gpus/0/at").asInt());
    assertEquals(12, changed.at("/gpus/0/holders/0/job").asInt());
    assertEquals("12.0.1", changed.at("/gpus/0/holders/0/attempt").asText());
    assertEquals(37, changed.at("/gpus/0/utilization").asInt());
    assertEquals(0, changed.path("gpuReadings").size());
  }

  @Test
  void a_node_more_is_a_new_wall() {
    LiveBatch first = next("");
    cluster.nodes(3);
    List<WatchedCluster.Event> events = WatchedCluster.events(next(first.id()));
    assertEquals("wall", events.get(0).name());
    assertEquals(3, events.get(0).data().path("nodes").size());
  }

  @Test
  void who_is_late_gets_all_changes_and_who_is_very_late_the_newest_picture() {
    LiveBatch first = next("");
    String id = first.id();
    for (int busy = 1; busy <= 3; busy++) {
      cluster.busy(0, busy);
      id = next(id).id();
    }
    List<WatchedCluster.Event> late =
        WatchedCluster.events(feed.next(first.id()).toCompletableFuture().join());
    assertEquals(3, late.size());
    assertEquals(id, late.get(2).id());
    for (int busy = 4; busy <= 60; busy++) {
      cluster.busy(0, busy);
      id = next(id).id();
    }
    List<WatchedCluster.Event> newest =
        WatchedCluster.events(feed.next(first.id()).toCompletableFuture().join());
    assertEquals("wall", newest.get(3).name());
    assertEquals(60, newest.get(3).data().at("/gpus/0/utilization").asInt());
    assertEquals(id, newest.get(3).id());
  }

  @Test
  void who_has_an_id_of_another_server_gets_everything() {
    next("");
    assertEquals("server", WatchedCluster.events(next("other.1")).get(0).name());
  }

  @Test
  void nothing_is_looked_at_while_nobody_waits() {
    String id = next("").id();
    assertEquals(1, cluster.looks());
    cluster.passes(60_000);
    assertEquals(1, cluster.looks());
    next(id);
    assertEquals(2, cluster.looks());
  }

  @Test
  void a_change_is_told_after_a_quarter_of_a_second_where_looks_are_cheap_and_a_second_where_not() {
    String id = next("").id();
    CompletionStage<LiveBatch> quick = feed.next(id);
    cluster.passes(250);
    assertTrue(quick.toCompletableFuture().isDone());
    cluster.looksTake(40);
    CompletionStage<LiveBatch> slow = feed.next(quick.toCompletableFuture().join().id());
    cluster.passes(290);
    int looks = cluster.looks();
    CompletionStage<LiveBatch> slower = feed.next(slow.toCompletableFuture().join().id());
    cluster.passes(500);
    assertEquals(looks, cluster.looks());
    cluster.passes(300);
    assertTrue(slower.toCompletableFuture().isDone());
  }

  @Test
  void a_moment_is_looked_at_and_written_once_for_all() {
    CompletionStage<LiveBatch> one = feed.next("");
    CompletionStage<LiveBatch> two = feed.next("");
    cluster.passes(1);
    assertSame(
        one.toCompletableFuture().join().events(), two.toCompletableFuture().join().events());
    String id = one.toCompletableFuture().join().id();
    one = feed.next(id);
    two = feed.next(id);
    cluster.passes(1000);
    assertSame(
        one.toCompletableFuture().join().events(), two.toCompletableFuture().join().events());
    assertEquals(2, cluster.looks());
  }

  @Test
  void what_is_kept_does_not_grow_with_readers_that_do_not_come_back() {
    WatchedCluster large = new WatchedCluster(500, 8);
    LiveFeed crowded = large.feed();
    CompletionStage<LiveBatch> first = crowded.next("");
    large.passes(1);
    String id = first.toCompletableFuture().join().id();
    for (int second = 0; second < 100; second++) {
      large.allBusy(second);
      CompletionStage<LiveBatch> change = crowded.next(id);
      large.passes(1000);
      id = change.toCompletableFuture().join().id();
    }
    assertTrue(crowded.keptBytes() > 0);
    assertTrue(crowded.keptBytes() < 6 << 20, () -> crowded.keptBytes() + " bytes");
  }

  @Test
  void readers_are_told_when_the_coordinator_cannot_be_asked_and_the_next_look_succeeds() {
    String id = next("").id();
    cluster.isAway(true);
    CompletionStage<LiveBatch> lost = feed.next(id);
    cluster.passes(1000);
    assertTrue(lost.toCompletableFuture().isCompletedExceptionally());
    cluster.isAway(false);
    cluster.busy(0, 99);
    List<WatchedCluster.Event> events = WatchedCluster.events(next(id));
    assertEquals("wall-change", events.get(0).name());
  }

  @Test
  void a_question_that_throws_is_told_and_the_next_look_succeeds() {
    String id = next("").id();
    cluster.isBroken(true);
    CompletionStage<LiveBatch> lost = feed.next(id);
    cluster.passes(1000);
    assertTrue(lost.toCompletableFuture().isCompletedExceptionally());
    cluster.isBroken(false);
    cluster.busy(0, 99);
    assertEquals("wall-change", WatchedCluster.events(next(id)).get(0).name());
  }

  @Test
  void a_look_that_cannot_be_put_off_is_put_off_for_the_next_reader() {
    boolean[] ends = {true};
    LiveFeed late =
        new LiveFeed(
            cluster::look,
            (delay, what) -> {
              if (ends[0]) {
                throw new IllegalStateException("the scheduler has ended");
              }
              cluster.later(delay, what);
            },
            Clock.systemUTC());
    assertThrows(IllegalStateException.class, () -> late.next(""));
    ends[0] = false;
    CompletionStage<LiveBatch> next = late.next("");
    cluster.passes(1000);
    assertTrue(next.toCompletableFuture().isDone());
  }

  @Test
  void a_node_without_new_samples_is_silent_since_its_last_one() {
    long last = cluster.seconds();
    String id = next("").id();
    cluster.isSilent(1);
    for (int look = 0; look < 20; look++) {
      LiveBatch batch = next(id);
      id = batch.id();
    }
    JsonNode wall = WatchedCluster.events(next("")).get(3).data();
    assertEquals(last, wall.at("/nodes/1/silentSince").asLong(), wall::toString);
    assertTrue(wall.at("/nodes/0/silentSince").isNull());
    assertFalse(wall.at("/gpus/5/utilization").isNull(), "its last values stay");
  }

  @Test
  void a_job_that_is_called_like_a_line_of_the_stream_stays_within_its_event() {
    cluster.job(7, "ann", "x\n\nevent: wall\ndata: {}\r\u2028");
    List<WatchedCluster.Event> events = WatchedCluster.events(next(""));
    assertEquals(4, events.size());
    assertEquals(
        "x\n\nevent: wall\ndata: {}\r\u2028", events.get(2).data().at("/running/0/name").asText());
  }
}
