package io.remuda.coordinator.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.ReferencedStoredJobs;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.worker.job.JobId;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How often the store is read for a submission. */
@Timeout(60)
class JobSubmitterTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString(
              "remuda.blocking-dispatcher { type = Dispatcher, executor = thread-pool-executor,"
                  + " thread-pool-executor.fixed-pool-size = 2 }"));

  @TempDir private Path folder;

  @AfterAll
  static void end() {
    KIT.shutdownTestKit();
  }

  private static Behavior<CoordinatorCommand> acceptsAll() {
    return Behaviors.receive(CoordinatorCommand.class)
        .onMessage(
            CoordinatorCommand.SubmitJobs.class,
            submission -> {
              submission.replyTo().tell(Reply.of(AcceptedJobs.of(List.of(new JobId(1)))));
              return Behaviors.same();
            })
        .build();
  }

  private int queriesOf(String submission) throws Exception {
    AtomicInteger queries = new AtomicInteger();
    try (ReferencedStoredJobs store = ReferencedStoredJobs.open(folder);
        StoreReader reader = ReferencedStoredJobs.counting(folder, queries)) {
      RestBackend backend =
          new RestBackend(
              KIT.system(), KnownLeader.of(KIT.spawn(acceptsAll())), null, reader, null);
      assertEquals(
          201,
          new JobSubmitter(backend)
              .submit(
                  new SubmissionReader(false).read(submission.getBytes(UTF_8), "ann"),
                  false,
                  new Caller("ann", true))
              .toCompletableFuture()
              .get(30, TimeUnit.SECONDS)
              .status()
              .intValue());
    }
    return queries.get();
  }

  private static String job(String more) {
    return "{\"argv\": [\"true\"], \"workdir\": \"/\", \"env\": {}" + more + "}";
  }

  @Test
  void the_store_is_read_once_for_what_the_command_line_submits() throws Exception {
    assertEquals(1, queriesOf(job(", \"clientKey\": \"k\"")));
  }

  @Test
  void the_store_is_not_read_for_a_job_that_refers_to_none() throws Exception {
    assertEquals(0, queriesOf(job("")));
  }
}
