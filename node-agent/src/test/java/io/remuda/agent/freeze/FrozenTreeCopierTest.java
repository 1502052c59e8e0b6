package io.remuda.agent.freeze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of which one takes for ever, as from a file server that is away. */
@Timeout(60)
class FrozenTreeCopierTest {

  private static final Path SCRATCH = Path.of("/nowhere");

  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch fileServer = new CountDownLatch(1);
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final BlockingQueue<Boolean> wantedAfterwards = new LinkedBlockingQueue<>();
  private final BlockingQueue<FrozenFilesTaskOrder> answers = new LinkedBlockingQueue<>();
  private final FrozenTreeCopier copier = new FrozenTreeCopier(nanos::get, this::copy);

  @AfterEach
  void close() {
    fileServer.countDown();
    copier.close();
  }

  private FrozenFilesTaskOrder copy(TaskStartOrder order, Path scratch, BooleanSupplier wanted) {
    begun.add(order.attempt().toString());
    if (order.user().equals("eve")) {
      try {
        fileServer.await();
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
      wantedAfterwards.add(wanted.getAsBoolean());
    }
    return new FrozenFilesTaskOrder(order, Optional.empty());
  }

  private static TaskStartOrder order(String attempt, String user) {
    CommandWorkload command = new CommandWorkload(List.of("true"), Map.of(), "/", 022);
    return new TaskStartOrder(
        AttemptId.parse(attempt), user, false, 0, command, List.of(), 1, false, TestAgents.FACTS);
  }

  private void add(String attempt, String user) throws InterruptedException {
    copier.add(order(attempt, user), SCRATCH, answers::add);
  }

  private FrozenFilesTaskOrder answer() throws InterruptedException {
    return answers.poll(60, TimeUnit.SECONDS);
  }

  @Test
  void the_copies_of_other_users_do_not_wait_for_one_that_takes_for_ever() throws Exception {
    add("1.0.1", "eve");
    assertEquals("1.0.1", begun.poll(60, TimeUnit.SECONDS));
    add("2.0.1", "ann");
    FrozenFilesTaskOrder copied = answer();
    assertEquals("2.0.1", copied.order().attempt().toString());
    assertEquals(Optional.empty(), copied.refusal());
  }

  @Test
  void a_cancelled_copy_is_answered_at_once_and_once_and_writes_no_more() throws Exception {
    add("1.0.1", "eve");
    assertEquals("1.0.1", begun.poll(60, TimeUnit.SECONDS));
    add("2.0.1", "eve"); // behind it
    for (String attempt : List.of("2.0.1", "1.0.1")) {
      copier.cancel(AttemptId.parse(attempt));
      FrozenFilesTaskOrder answer = answer();
      assertEquals(attempt, answer.order().attempt().toString());
      assertEquals(TaskEnd.Kind.NOT_BEGUN, answer.refusal().orElseThrow().kind());
    }
    fileServer.countDown();
    assertFalse(wantedAfterwards.poll(60, TimeUnit.SECONDS));
    add("3.0.1", "eve");
    assertEquals("3.0.1", answer().order().attempt().toString(), "nothing was answered twice");
    assertEquals("3.0.1", begun.poll(60, TimeUnit.SECONDS), "the second one was not begun");
    assertTrue(wantedAfterwards.poll(60, TimeUnit.SECONDS));
  }

  @Test
  void it_is_known_how_long_a_copy_is_waited_for() throws Exception {
    add("1.0.1", "eve");
    nanos.addAndGet(Duration.ofSeconds(7).toNanos());
    AttemptId attempt = AttemptId.parse("1.0.1");
    assertEquals(Optional.of(Duration.ofSeconds(7)), copier.waiting(attempt));
    copier.cancel(attempt);
    assertEquals(Optional.empty(), copier.waiting(attempt));
  }
}
