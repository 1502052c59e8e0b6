package io.remuda.worker.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.remuda.worker.protocol.FromWorker.Happened;
import io.remuda.worker.protocol.WorkerEvent.PoolDone;
import io.remuda.worker.protocol.WorkerEvent.Said;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventOutboxTest {
  private final EventOutbox outbox = new EventOutbox();

  private List<Long> waiting() {
    return outbox.unacknowledged().stream().map(Happened::sequence).toList();
  }

  private void addThree() {
    outbox.add(new Said("one"));
    outbox.add(new Said("two"));
    outbox.add(new PoolDone(3));
  }

  @Test
  void events_are_numbered_from_one_and_kept_in_order() {
    addThree();
    assertEquals(
        List.of(
            new Happened(1, new Said("one")),
            new Happened(2, new Said("two")),
            new Happened(3, new PoolDone(3))),
        outbox.unacknowledged());
  }

  @Test
  void an_acknowledgement_covers_all_events_before_it() {
    addThree();
    outbox.acknowledge(2);
    assertEquals(List.of(3L), waiting());
  }

  @Test
  void a_repeated_or_an_old_acknowledgement_changes_nothing() {
    addThree();
    outbox.acknowledge(2);
    outbox.acknowledge(2);
    outbox.acknowledge(1);
    assertEquals(List.of(3L), waiting());
  }

  @Test
  void numbers_go_on_after_everything_was_acknowledged() {
    addThree();
    outbox.acknowledge(3);
    assertEquals(List.of(), waiting());
    assertEquals(4, outbox.add(new Said("four")).sequence());
  }

  @Test
  void waiting_for_an_empty_outbox_ends_with_the_last_acknowledgement() {
    addThree();
    Thread agent = new Thread(() -> outbox.acknowledge(3));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          agent.start();
          outbox.awaitEmpty();
        });
    assertEquals(List.of(), waiting());
  }
}
