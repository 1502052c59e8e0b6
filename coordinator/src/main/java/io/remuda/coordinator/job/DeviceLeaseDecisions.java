package io.remuda.coordinator.job;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.DeviceVariables;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.LeaseAsk;
import io.remuda.coordinator.api.LeaseView;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.node.AgentConnections;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Decides requests of running programs for devices, and the return of these devices. To the
 * scheduler a lease is a job with one task that can run on one node only. Used only by the
 * coordinator's actor.
 */
public final class DeviceLeaseDecisions {

  private final TaskRegistry tasks;
  private final JobAdmission admission;
  private final AgentConnections connections;

  /** The pid namespace of each node; a program's own selects the nodes that can serve it. */
  private final Map<String, String> spaces = new TreeMap<>();

  private final LeaseWaits waits = new LeaseWaits();

  /** Returned leases that the node has not reported as ended; {@link #tick} repeats them. */
  private final Map<JobId, CoordinatorMessage.GiveBack> givenBack = new HashMap<>();

  public DeviceLeaseDecisions(
      TaskRegistry tasks, JobAdmission admission, AgentConnections connections) {
    this.tasks = tasks;
    this.admission = admission;
    this.connections = connections;
  }

  private Optional<TaskRecord> task(JobId lease) {
    return tasks.of(lease).stream().findFirst();
  }

  /** Continues the leases of an earlier coordinator: their programs may ask again. */
  public void goOn(long now) {
    for (JobSpec job : tasks.jobs()) {
      if (isLease(job)) {
        waits.asked(job.id(), now);
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

  /** Requests a lease; the answer comes when it is granted or its client's patience ends. */
  public Decision ask(CoordinatorCommand.AskLease command, long now) {
    LeaseAsk ask = command.ask();
    Rejection no = admission.noNodeHere(now);
    for (String here : nodesOf(ask.processSpace())) {
      Optional<Rejection> never = admission.neverOn(here, job(ask, here), now);
      if (never.isEmpty()) {
        return ask(command, here, now);
      }
      no = never.get();
    }
    return Decision.refuse(command.replyTo(), no);
  }

  private Decision ask(CoordinatorCommand.AskLease command, String node, long now) {
    Reply<JobAdmission.Admitted> outcome =
        admission.admit(
            List.of(job(command.ask(), node)),
            ReferencedStoredJobs.NONE,
            new CoordinatorCommand.Caller(command.ask().user(), false),
            now);
    if (outcome instanceof Reply.No<JobAdmission.Admitted> refused) {
      return Decision.refuse(command.replyTo(), refused.rejection());
    }
    JobAdmission.Admitted admitted = ((Reply.Yes<JobAdmission.Admitted>) outcome).value();
    JobId id = admitted.jobs().ids().get(0);
    return Decision.ofRows(admitted.rows()) // a grant needs a later commit
        .meanwhile(await(id, 0, command.patienceMillis(), command.replyTo(), now))
        .placing();
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

  /** Answers with a lease, when it is granted or its client's patience ends. */
  public Decision look(CoordinatorCommand.LookAtLease command, long now) {
    Optional<Rejection> no = refusal(command.lease(), command.caller());
    return no.isPresent()
        ? Decision.refuse(command.replyTo(), no.get())
        : Decision.atOnce(
            await(command.lease(), 0, command.patienceMillis(), command.replyTo(), now));
  }

  private Optional<Rejection> refusal(JobId id, CoordinatorCommand.Caller caller) {
    Optional<JobSpec> job = tasks.job(id).filter(DeviceLeaseDecisions::isLease);
    if (job.isEmpty()) {
      return Optional.of(
          Rejection.of(Rejection.Code.NOT_FOUND, "lease " + id + " is over, or there is none"));
    }
    return caller.mayActFor(job.get().user())
        ? Optional.empty()
        : Optional.of(
            Rejection.of(
                Rejection.Code.NOT_YOURS, "lease " + id + " belongs to " + job.get().user()));
  }

  /** Ends a lease, or cancels it if it is not granted yet. */
  public Decision giveBack(CoordinatorCommand.GiveLeaseBack command, long now) {
    JobId id = command.lease();
    Optional<Rejection> no = refusal(id, command.caller());
    if (no.isPresent()) {
      return Decision.refuse(command.replyTo(), no.get());
    }
    TaskRecord task = tasks.of(id).get(0);
    boolean named = command.attempt() != 0;
    if (named && (command.attempt() != task.attempt() || task.state().isBefore())) {
      return Decision.atOnce( // it was returned before, and the answer was lost
          await(id, 0, 0, command.replyTo(), now));
    }
    long patience = command.patienceMillis();
    if (task.state().isBefore()) {
      List<Effect> answers = await(id, 0, patience, command.replyTo(), now);
      return Decision.of(tasks.requests().cancel(id, "given back before it was granted", now))
          .meanwhile(answers)
          .placing();
    }
    List<Effect> effects = new ArrayList<>();
    if (task instanceof PlacedTask placed) {
      CoordinatorMessage.GiveBack back =
          new CoordinatorMessage.GiveBack(
              task.attemptId(), command.succeeded(), command.error(), command.again());
      CoordinatorMessage.GiveBack before = givenBack.get(id);
      if (before == null || !before.attempt().equals(back.attempt())) { // the first return counts
        givenBack.put(id, back);
        effects.add(new Effect.SendToNode(placed.place().node(), back));
      }
    }
    effects.addAll(await(id, task.attempt(), patience, command.replyTo(), now));
    return Decision.atOnce(effects);
  }

  /** Returns the answer if the condition is met or there is no patience; otherwise it waits. */
  private List<Effect> await(
      JobId lease, int attempt, long patienceMillis, ActorRef<Reply<LeaseView>> replyTo, long now) {
    waits.asked(lease, now);
    long until = now + Duration.ofMillis(patienceMillis).toNanos();
    LeaseWaits.Waiter waiter = new LeaseWaits.Waiter(replyTo, attempt, until);
    if (task(lease).filter(waiter::isServedBy).isPresent() || patienceMillis <= 0) {
      return answers(lease, List.of(waiter), now);
    }
    waits.add(lease, waiter);
    return List.of();
  }

  private List<Effect> answers(JobId lease, List<LeaseWaits.Waiter> waiters, long now) {
    if (waiters.isEmpty()) {
      return List.of();
    }
    Reply<LeaseView> view = Reply.of(view(lease, now));
    return waiters.stream()
        .<Effect>map(waiter -> new Effect.Tell<>(waiter.replyTo(), view))
        .toList();
  }

  /**
   * Returns the answers for leases that have just begun. They need not wait for the commit, since
   * the placement is durable already. Leases that were returned meanwhile are ended at once.
   */
  List<Effect> granted(List<TaskChange> changes, long now) {
    List<TaskChange> begun =
        changes.stream().filter(change -> change.to() == TaskState.RUNNING).toList();
    List<Effect> effects = new ArrayList<>(moved(begun, now));
    for (TaskChange change : begun) {
      CoordinatorMessage.GiveBack back = givenBack.get(change.attempt().task().job());
      if (back != null && back.attempt().equals(change.attempt())) {
        effects.add(new Effect.SendToNode(change.node(), back));
      }
    }
    return effects;
  }

  /** Returns the answers to the clients that wait for these changes of leases. */
  public List<Effect> moved(List<TaskChange> changes, long now) {
    List<Effect> answers = new ArrayList<>();
    for (TaskChange change : changes) {
      JobId lease = change.attempt().task().job();
      if (waits.isAwaited(lease)) {
        task(lease)
            .ifPresent(task -> answers.addAll(answers(lease, waits.served(lease, task), now)));
      }
    }
    return answers;
  }

  /**
   * Answers clients after their timeout, cancels waiting leases without a client, and repeats
   * returns to the nodes: a node may not have had the order yet, or was disconnected.
   */
  public Decision tick(long now) {
    List<Effect> effects = new ArrayList<>();
    givenBack.values().removeIf(back -> tasks.placed(back.attempt()).isEmpty());
    for (CoordinatorMessage.GiveBack back : givenBack.values()) {
      tasks
          .placed(back.attempt())
          .ifPresent(task -> effects.add(new Effect.SendToNode(task.place().node(), back)));
    }
    waits.stillAsked(now);
    for (JobId lease : waits.leases()) {
      if (task(lease).isPresent()) {
        effects.addAll(answers(lease, waits.late(lease, now), now));
      } else {
        waits.drop(lease); // its end was answered
      }
    }
    List<TaskChange> changes = new ArrayList<>();
    for (JobId lease : waits.abandoned(known(), now)) {
      changes.addAll(tasks.requests().cancel(lease, "its program no longer asks for it", now));
    }
    return Decision.of(changes).meanwhile(effects);
  }

  private Map<JobId, TaskRecord> known() {
    Map<JobId, TaskRecord> known = new HashMap<>();
    waits.known().forEach(lease -> task(lease).ifPresent(task -> known.put(lease, task)));
    return known;
  }

  private LeaseView view(JobId id, long now) {
    JobSpec job = tasks.job(id).orElseThrow();
    TaskRecord task = task(id).orElseThrow();
    Optional<Place> place =
        task instanceof PlacedTask placed ? Optional.of(placed.place()) : Optional.empty();
    long memory = place.map(Place::gpuMemory).orElse(0L);
    return new LeaseView(
        id,
        job.terms().type(),
        task.state(),
        task.attempt(),
        place.map(Place::node).orElse(null),
        place.map(Place::devices).orElse(List.of()),
        Math.max(0, memory),
        memory == ResourceRequest.AUTO,
        task.state().isBefore() ? WaitText.lines(tasks.whyWaiting(task.id(), now)) : List.of(),
        task.cause(),
        place
            .map(one -> DeviceVariables.task(one.devices(), admission.devicesOf(one.node())))
            .orElse(Map.of()));
  }
}
