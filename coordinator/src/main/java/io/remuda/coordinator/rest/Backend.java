package io.remuda.coordinator.rest;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.actor.ClusterView;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.actor.Coordinator.Action;
import io.remuda.coordinator.actor.Coordinator.Caller;
import io.remuda.coordinator.actor.Explanation;
import io.remuda.coordinator.actor.NewJob;
import io.remuda.coordinator.actor.Reply;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.UserRow;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/**
 * What the routes ask: the coordinator, which decides, and the store, which knows. Any thread;
 * nothing here blocks the caller.
 */
final class Backend {

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** A question to the store. */
  interface Query<T> {
    T ask(StoreReader reader) throws IOException;
  }

  private final ActorSystem<?> system;
  private final ActorRef<Coordinator.Command> coordinator;
  private final StoreReader reader;
  private final Executor blocking;

  Backend(ActorSystem<?> system, ActorRef<Coordinator.Command> coordinator, StoreReader reader) {
    this.system = system;
    this.coordinator = coordinator;
    this.reader = reader;
    this.blocking =
        system.dispatchers().lookup(DispatcherSelector.fromConfig("remuda.blocking-dispatcher"));
  }

  ActorSystem<?> system() {
    return system;
  }

  /** Asks the store. */
  <T> CompletionStage<T> query(Query<T> query) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return query.ask(reader);
          } catch (IOException fault) {
            throw new UncheckedIOException(fault);
          }
        },
        blocking);
  }

  CompletionStage<Reply<List<JobId>>> submit(List<NewJob> jobs) {
    return AskPattern.ask(
        coordinator,
        replyTo -> new Coordinator.SubmitJobs(jobs, replyTo),
        PATIENCE,
        system.scheduler());
  }

  CompletionStage<Reply<List<JobId>>> check(List<NewJob> jobs) {
    return AskPattern.ask(
        coordinator,
        replyTo -> new Coordinator.CheckJobs(jobs, replyTo),
        PATIENCE,
        system.scheduler());
  }

  CompletionStage<Reply<JobId>> change(JobId job, Action action, Caller caller) {
    return AskPattern.ask(
        coordinator,
        replyTo -> new Coordinator.ChangeJob(job, action, caller, replyTo),
        PATIENCE,
        system.scheduler());
  }

  CompletionStage<Reply<String>> drain(String node, boolean drained) {
    return AskPattern.ask(
        coordinator,
        replyTo -> new Coordinator.DrainNode(node, drained, replyTo),
        PATIENCE,
        system.scheduler());
  }

  CompletionStage<Reply<String>> setUser(UserRow user) {
    return AskPattern.ask(
        coordinator,
        replyTo -> new Coordinator.SetUser(user, replyTo),
        PATIENCE,
        system.scheduler());
  }

  CompletionStage<Reply<Explanation>> explain(JobId job) {
    return AskPattern.ask(
        coordinator,
        replyTo -> new Coordinator.Explain(job, replyTo),
        PATIENCE,
        system.scheduler());
  }

  CompletionStage<ClusterView> nodes() {
    return AskPattern.ask(coordinator, Coordinator.LookAtNodes::new, PATIENCE, system.scheduler());
  }

  CompletionStage<Reply<AgentMessage.Output>> output(
      String node, AttemptId attempt, OutputStreamName stream, long offset, int limit) {
    return AskPattern.ask(
        coordinator,
        replyTo -> new Coordinator.ReadOutput(node, attempt, stream, offset, limit, replyTo),
        PATIENCE,
        system.scheduler());
  }
}
