package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.registry.TaskRecord;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Handles requests of running programs for devices, and the return of these devices. To the
 * scheduler a lease is a job with one task that can run on one node only. Used only by the
 * coordinator's actor.
 */
final class Leases {

  private final TaskRegistry tasks;
  private final JobAdmission admission;
  private final AgentConnections connections;
  private final CommitPipeline pipeline;
  private final LongSupplier nanoClock;
  private final Runnable placeSoon;

  /** The pid namespace of each node; a program's own selects the nodes that can serve it. */
  private final Map<String, String> spaces = new TreeMap<>();

  private final LeaseWaits waits;

  /** Returned leases that the node has not reported as ended; {@link #tick} repeats them. */
  private final Map<JobId, CoordinatorMessage.GiveBack> givenBack = new HashMap<>();

  /**
   * @param placeSoon runs when a task may fit that did not fit before
   */
  Leases(
      TaskRegistry tasks,
      JobAdmission admission,
      AgentConnections connections,
      CommitPipeline pipeline,
      LongSupplier nanoClock,
      Runnable placeSoon) {
    this.tasks = tasks;
    this.admission = admission;
    this.connections = connections;
    this.pipeline = pipeline;
    this.nanoClock = nanoClock;
    this.placeSoon = placeSoon;
    this.waits = new LeaseWaits(this::task, this::view);
  }

  private Optional<TaskRecord> task(JobId lease) {
    return tasks.of(lease).stream().findFirst();
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  /** Continues the leases of an earlier coordinator: their programs may ask again. */
  void goOn() {
    for (JobSpec job : tasks.jobs()) {
      if (isLease(job)) {
        waits.asked(job.id(), now());
      }
    }
  }

  private static boolean isLease(JobSpec job) {
    return job.tasks().get(0) instanceof LeasedProgramWorkload;
  }

  /** Registers a node that has joined, so that programs on its machine can have leases. */
  void joined(String node, String processSpace) {
    spaces.put(node, processSpace);
  }

  Behavior<Coordinator.Command> onAsk(Coordinator.AskLease command) {
    LeaseAsk ask = command.ask();
    Rejection no = admission.noNodeHere(now());
    Optional<String> node = Optional.empty();
    for (String here : nodesOf(ask.processSpace())) {
      Optional<Rejection> never = admission.neverOn(here, job(ask, here), now());
      if (never.isEmpty()) {
        node = Optional.of(here);
        break;
      }
      no = never.get();
    }
    if (node.isEmpty()) {
      command.replyTo().tell(Reply.no(no));
      return Behaviors.same();
    }
    JobAdmission.Outcome<List<JobId>> outcome =
        admission.submit(List.of(job(ask, node.get())), now());
    if (outcome.answer() instanceof Reply.No<List<JobId>> refused) {
      command.replyTo().tell(Reply.no(refused.rejection()));
      return Behaviors.same();
    }
    JobId id = ((Reply.Yes<List<JobId>>) outcome.answer()).value().get(0);
    pipeline.append(outcome.entries(), () -> {}); // a grant needs a later commit
    await(id, 0, command.patienceMillis(), command.replyTo());
    placeSoon.run();
    return Behaviors.same();
  }

  /** Returns the nodes of a machine: connected ones first, then by their number of tasks. */
  private List<String> nodesOf(String processSpace) {
    return spaces.entrySet().stream()
        .filter(space -> !processSpace.isEmpty() && space.getValue().equals(processSpace))
        .map(Map.Entry::getKey)
        .sorted(
            Comparator.<String, Boolean>comparing(node -> !connections.isConnected(node))
                .thenComparingInt(tasks::placedOn))
        .toList();
  }

  private static NewJob job(LeaseAsk ask, String node) {
    return new NewJob(
        ask.type(),
        ask.user(),
        ask.request().withLabels(Map.of("node", node)),
        new JobTerms(false, ask.policy(), 0, List.of(), 0, 0, ask.type()),
        ask.program(),
        1,
        false,
        ask.clientKey(),
        List.of());
  }

  Behavior<Coordinator.Command> onLook(Coordinator.LookAtLease command) {
    Optional<Rejection> no = refusal(command.lease(), command.caller());
    if (no.isPresent()) {
      command.replyTo().tell(Reply.no(no.get()));
    } else {
      await(command.lease(), 0, command.patienceMillis(), command.replyTo());
    }
    return Behaviors.same();
  }

  private Optional<Rejection> refusal(JobId id, Coordinator.Caller caller) {
    Optional<JobSpec> job = tasks.job(id).filter(Leases::isLease);
    if (job.isEmpty()) {
      return Optional.of(
          Rejection.of(Rejection.Code.NOT_FOUND, "lease " + id + " is over, or there is none"));
    }
    return caller.mayAll() || job.get().user().equals(caller.user())
        ? Optional.empty()
        : Optional.of(
            Rejection.of(
                Rejection.Code.NOT_YOURS, "lease " + id + " belongs to " + job.get().user()));
  }

  /** Ends a lease, or cancels it if it is not granted yet. */
  Behavior<Coordinator.Command> onGiveBack(Coordinator.GiveLeaseBack command) {
    JobId id = command.lease();
    Optional<Rejection> no = refusal(id, command.caller());
    if (no.isPresent()) {
      command.replyTo().tell(Reply.no(no.get()));
      return Behaviors.same();
    }
    TaskRecord task = tasks.of(id).get(0);
    boolean named = command.attempt() != 0;
    if (named && (command.attempt() != task.attempt() || task.state().isBefore())) {
      await(id, 0, 0, command.replyTo()); // it was returned before, and the answer was lost
      return Behaviors.same();
    }
    if (task.state().isBefore()) {
      await(id, task.attempt() + 1, command.patienceMillis(), command.replyTo());
      pipeline.publish(tasks.cancel(id, "given back before it was granted", now()));
      placeSoon.run();
      return Behaviors.same();
    }
    if (task.state().holdsPlace()) {
      CoordinatorMessage.GiveBack back =
          new CoordinatorMessage.GiveBack(
              task.attemptId(), command.succeeded(), command.error(), command.again());
      CoordinatorMessage.GiveBack before = givenBack.get(id);
      if (before == null || !before.attempt().equals(back.attempt())) { // the first return counts
        givenBack.put(id, back);
        connections.tell(task.place().node(), back);
      }
    }
    await(id, task.attempt(), command.patienceMillis(), command.replyTo());
    return Behaviors.same();
  }

  private void await(
      JobId lease, int attempt, long patienceMillis, ActorRef<Reply<LeaseView>> replyTo) {
    long until = now() + Duration.ofMillis(patienceMillis).toNanos();
    waits.add(
        lease, new LeaseWaits.Waiter(view -> replyTo.tell(Reply.of(view)), attempt, until), now());
  }

  /**
   * Answers the clients of leases that have just begun. This need not wait for the commit, since
   * the placement is durable already. Leases that were returned meanwhile are ended at once.
   */
  void granted(List<TaskChange> changes) {
    List<TaskChange> begun =
        changes.stream().filter(change -> change.to() == TaskState.RUNNING).toList();
    moved(begun);
    for (TaskChange change : begun) {
      CoordinatorMessage.GiveBack back = givenBack.get(change.attempt().task().job());
      if (back != null && back.attempt().equals(change.attempt())) {
        connections.tell(change.node(), back);
      }
    }
  }

  /** Answers the clients that wait for these changes of leases. */
  void moved(List<TaskChange> changes) {
    changes.forEach(change -> waits.moved(change.attempt().task().job()));
  }

  /**
   * Answers clients after their timeout, cancels waiting leases without a client, and repeats
   * returns to the nodes: a node may not have had the order yet, or was disconnected.
   */
  void tick() {
    givenBack.entrySet().removeIf(lease -> !isStillPlaced(lease.getValue()));
    givenBack.forEach(
        (lease, back) -> connections.tell(tasks.of(lease).get(0).place().node(), back));
    for (JobId lease : waits.tick(now())) {
      pipeline.publish(tasks.cancel(lease, "its program no longer asks for it", now()));
    }
  }

  private boolean isStillPlaced(CoordinatorMessage.GiveBack back) {
    return tasks.isPlaced(back.attempt());
  }

  private LeaseView view(JobId id) {
    JobSpec job = tasks.job(id).orElseThrow();
    TaskRecord task = task(id).orElseThrow();
    boolean placed = task.place() != null;
    long memory = placed ? task.place().gpuMemory() : 0;
    return new LeaseView(
        id,
        job.terms().type(),
        task.state(),
        task.attempt(),
        placed ? task.place().node() : null,
        placed ? task.place().devices() : List.of(),
        Math.max(0, memory),
        memory == ResourceRequest.AUTO,
        task.state().isBefore() ? WaitText.lines(tasks.whyWaiting(task.id(), now())) : List.of(),
        task.cause());
  }
}
