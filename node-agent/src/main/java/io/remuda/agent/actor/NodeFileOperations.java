package io.remuda.agent.actor;

import com.typesafe.config.Config;
import io.remuda.agent.actor.NodeAgentCommand.FoldersPrepared;
import io.remuda.agent.attempt.CommandFolders;
import io.remuda.agent.attempt.DeviceLeaseRecord;
import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.attempt.GangPorts;
import io.remuda.agent.attempt.JoinedKeeperState;
import io.remuda.agent.attempt.OwnInterfaces;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.TaskFolderPreparation;
import io.remuda.agent.attempt.TaskNotes;
import io.remuda.agent.attempt.UninterpretedAttemptEnd;
import io.remuda.agent.channel.TaskChannelFactory;
import io.remuda.agent.container.EngineOptions;
import io.remuda.agent.container.EngineWork;
import io.remuda.agent.container.NodeContainers;
import io.remuda.agent.cores.CpuTopology;
import io.remuda.agent.cores.TaskCpuAllocator;
import io.remuda.agent.freeze.FrozenFilesTaskOrder;
import io.remuda.agent.freeze.FrozenTreeCopier;
import io.remuda.agent.keeper.TaskUsageFile;
import io.remuda.agent.keeper.join.AgentKeepers;
import io.remuda.agent.protocol.CoordinatorMessage.GiveBack;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.training.Trainings;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.source.TelemetrySampler;
import io.remuda.worker.job.AttemptId;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file operations of a node's agent. They are done in order on the thread of {@link FileWork};
 * what they find comes to the agent as a message. What calls container engines is done by {@link
 * EngineWork}. No method blocks. Every lambda in this class runs on one of their threads.
 */
final class NodeFileOperations {

  private static final Logger LOG = LoggerFactory.getLogger(NodeFileOperations.class);

  /** How long the first member of a gang waits for the agent's host name, in milliseconds. */
  private static final long MOST_FOR_A_NAME = 3000;

  /** How many folders are moved to the ended tasks before other work with files goes on. */
  private static final int RETIRED_AT_ONCE = 16;

  private final FileWork work;
  private final AgentSettings settings;
  private final Distribution distribution;
  private final AgentKeepers keepers;
  private final ActorRef<NodeAgentCommand> agent;
  private final OutputReader.Sender output;
  private final Trainings trainings;
  private final TelemetrySampler sampler;
  private final TaskNotes notes;
  private final GangPorts gangPorts;
  private final TaskCpuAllocator pinned = new TaskCpuAllocator(CpuTopology.here());
  private final OwnInterfaces interfaces;
  private final NodeContainers containers;
  private final EngineWork engines;
  private final FrozenTreeCopier copies;
  private final CommandFolders folders;
  private final FolderPreparationQueue preparations;
  private final LongSupplier nanoClock;

  /**
   * @param output removes the scratch folders of ended tasks
   */
  static NodeFileOperations of(
      NodeAgent.Parts parts, ActorContext<NodeAgentCommand> context, OutputReader.Sender output) {
    Config config = context.getSystem().settings().config().getConfig("remuda.agent");
    NodeContainers containers =
        new NodeContainers(
            parts.settings(),
            parts.distribution(),
            EngineOptions.from(config),
            parts.settings().environment());
    GangPorts ports = new GangPorts(parts.network(), GangPorts.SingleTasks.from(config));
    return new NodeFileOperations(parts, containers, ports, context.getSelf(), output);
  }

  NodeFileOperations(
      NodeAgent.Parts parts,
      NodeContainers containers,
      GangPorts gangPorts,
      ActorRef<NodeAgentCommand> agent,
      OutputReader.Sender output) {
    this.work = parts.files();
    this.settings = parts.settings();
    this.distribution = parts.distribution();
    this.keepers = parts.keepers();
    this.gangPorts = gangPorts;
    this.agent = agent;
    this.output = output;
    this.sampler = parts.sampler();
    this.notes = new TaskNotes(work, settings);
    notes.breakOffInputs();
    this.folders = new CommandFolders(settings);
    this.nanoClock = parts.nanoClock();
    this.preparations =
        new FolderPreparationQueue(
            work,
            parts.nanoClock(),
            () -> TaskFolderPreparation.shortage(settings),
            this::prepared,
            this::complete);
    this.interfaces = new OwnInterfaces(parts.network().address());
    this.containers = containers;
    this.engines = new EngineWork(containers, settings, parts.nanoClock());
    this.copies = new FrozenTreeCopier(parts.nanoClock());
    this.trainings =
        new Trainings(
            settings,
            distribution,
            parts.nanoClock(),
            Clock.systemUTC(),
            (attempt, told) -> agent.tell(new NodeAgentCommand.TrainingTold(attempt, told)));
  }

  /** Returns the trainings on this node. */
  Trainings trainings() {
    return trainings;
  }

  /** Returns the devices of this node that are known so far. */
  List<DeviceInfo> devices() {
    return sampler.inventory();
  }

  /** Returns what writes notes into the folders of attempts. */
  TaskNotes notes() {
    return notes;
  }

  /** Returns the containers on this node. */
  NodeContainers containers() {
    return containers;
  }

  /** Returns the CPUs of pinned tasks. */
  TaskCpuAllocator pinned() {
    return pinned;
  }

  /** Returns the ports of tasks. */
  GangPorts ports() {
    return gangPorts;
  }

  /** Returns the network interfaces of this node. */
  OwnInterfaces interfaces() {
    return interfaces;
  }

  /** Returns how long the current operation has taken; zero if there is none. */
  Duration busy() {
    return work.busy();
  }

  /** Drops all operations that have not begun. */
  void close() {
    work.close();
    engines.close();
    copies.close();
    trainings.close();
  }

  /** Tells {@link NodeAgentCommand.NothingLeft} if there is no keeper and no folder of a task. */
  void findRemains() {
    work.add(
        () -> {
          if (keepers.find().isEmpty() && TaskFolder.open(settings).isEmpty()) {
            agent.tell(NodeAgentCommand.NothingLeft.INSTANCE);
          }
        });
  }

  /** Tells {@link NodeAgentCommand.AccessMissing} if there is no access file. */
  void findAccess() {
    work.add(
        () -> {
          if (!settings.access().toFile().exists()) {
            agent.tell(NodeAgentCommand.AccessMissing.INSTANCE);
          }
        });
  }

  /**
   * Reads the folders of a joined keeper's tasks, after the containers of ended ones are removed;
   * tells {@link NodeAgentCommand.Surveyed}.
   */
  void survey(long number, NodeAgentCommand.KeeperReady keeper) {
    work.add(
        containers::mayBeLeft,
        fault -> false,
        left -> {
          if (left) {
            engines.removeLeft(keeper.tasks(), () -> work.add(() -> look(number, keeper)));
          } else {
            look(number, keeper);
          }
        });
  }

  private void look(long number, NodeAgentCommand.KeeperReady keeper) {
    Optional<JoinedKeeperState> found;
    try {
      found = Optional.of(surveyed(keeper));
    } catch (RuntimeException | Error fault) {
      LOG.warn("the folders of tasks cannot be read: {}", fault.toString());
      found = Optional.empty();
    }
    agent.tell(new NodeAgentCommand.Surveyed(number, keeper, found));
  }

  private JoinedKeeperState surveyed(NodeAgentCommand.KeeperReady keeper) {
    JoinedKeeperState found = JoinedKeeperState.of(settings, keeper.tasks());
    try {
      for (AttemptId attempt : found.folders().keySet()) {
        Path folder = TaskFolder.of(settings, attempt).path();
        gangPorts.adopt(attempt, folder);
        pinned.adopt(attempt, folder);
        trainings.adopt(attempt, folder);
      }
    } catch (IOException fault) {
      LOG.warn("trainings cannot reach this agent: {}", fault.toString());
    }
    return found.withEnds(
        found.ends().stream()
            .map(end -> Trainings.told(end, TaskFolder.of(settings, end.attempt()).path()))
            .toList());
  }

  /**
   * Prepares the folders of orders; tells {@link FoldersPrepared} of some at a time, and by itself
   * of each that has a frozen tree or a container, which take long.
   */
  void prepare(List<TaskStartOrder> orders) {
    preparations.add(orders);
  }

  private void complete(List<FoldersPrepared.Prepared> all) {
    List<FoldersPrepared.Prepared> quick = new ArrayList<>();
    for (FoldersPrepared.Prepared one : all) {
      if (one.folder().refusal().isEmpty() && takesLong(one.order())) {
        completeOne(one);
      } else {
        quick.add(one);
      }
    }
    if (!quick.isEmpty()) {
      agent.tell(new FoldersPrepared(quick));
    }
  }

  private static boolean takesLong(TaskStartOrder order) {
    return FrozenFilesTaskOrder.isFor(order) || NodeContainers.isIn(order);
  }

  private void completeOne(FoldersPrepared.Prepared one) {
    try {
      if (FrozenFilesTaskOrder.isFor(one.order())) {
        copy(one.order(), one.folder());
      } else {
        inContainer(one.order(), one.folder());
      }
    } catch (RuntimeException | Error fault) { // such as no thread to be had
      tellPrepared(one.order(), TaskFolderPreparation.notBegun(fault));
    }
  }

  /** Copies a frozen tree, which may be large, while other operations continue. */
  private void copy(TaskStartOrder order, TaskFolderPreparation folder) {
    Path scratch = TaskFolder.of(settings, order.attempt()).scratch();
    copies.add(
        order,
        scratch,
        copy ->
            inContainer(
                copy.order(), copy.refusal().map(TaskFolderPreparation::refused).orElse(folder)));
  }

  /** Has {@link NodeAgentCommand.FoldersPrepared} told without the copy of a frozen tree. */
  void cancelCopy(AttemptId attempt) {
    copies.cancel(attempt);
  }

  /** Returns what of the preparation of an order has taken so long, for people. */
  String slowly(TaskStartOrder order, Duration time) {
    return SlowPreparationText.of(order, copies.waiting(order.attempt()), settings, time);
  }

  private void inContainer(TaskStartOrder order, TaskFolderPreparation folder) {
    if (NodeContainers.isIn(order) && folder.refusal().isEmpty()) {
      engines.prepare(order, folder, whole -> tellPrepared(order, whole));
    } else {
      tellPrepared(order, folder);
    }
  }

  private void tellPrepared(TaskStartOrder order, TaskFolderPreparation folder) {
    agent.tell(new FoldersPrepared(List.of(new FoldersPrepared.Prepared(order, folder))));
  }

  private TaskFolderPreparation prepared(TaskStartOrder order, Optional<String> full) {
    if (order.job().start() != null) {
      interfaces.await(MOST_FOR_A_NAME);
    }
    Optional<String> noPort = gangPorts.take(order);
    if (noPort.isPresent()) {
      return TaskFolderPreparation.refused(TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, noPort.get()));
    }
    TaskFolderPreparation prepared =
        TaskFolderPreparation.of(order, settings, distribution, folders.scratch(), devices(), full);
    TaskFolder folder = TaskFolder.of(settings, order.attempt());
    try {
      if (prepared.refusal().isEmpty()) {
        folders.prepared(order);
        gangPorts.note(order.attempt(), folder.path());
        if (order.training() != null) {
          trainings.prepare(order, folder.path());
        }
        TaskChannelFactory.make(order, folder.path())
            .ifPresent(channel -> output.opened(order.attempt(), folder.path(), channel));
      }
      return prepared.refusal().isPresent() ? prepared : pinned(order, folder, prepared);
    } catch (FileNotFoundException missing) { // a folder that the user has named
      return TaskFolderPreparation.refused(
          TaskEnd.because(TaskEnd.Kind.CANNOT_START, missing.getMessage()));
    } catch (IOException | RuntimeException fault) {
      return TaskFolderPreparation.refused(TaskFolderPreparation.cannot(folder, fault));
    }
  }

  private TaskFolderPreparation pinned(
      TaskStartOrder order, TaskFolder folder, TaskFolderPreparation prepared) throws IOException {
    return pinned
        .take(order, devices(), folder.path())
        .map(none -> TaskFolderPreparation.refused(TaskEnd.because(TaskEnd.Kind.NO_ROOM, none)))
        .orElse(prepared);
  }

  /** Reads how an attempt ended; tells {@link NodeAgentCommand.EndRead}. */
  void readEnd(AttemptId attempt, UninterpretedAttemptEnd unread) {
    TaskFolder folder = TaskFolder.of(settings, attempt);
    work.add(
        () -> {
          release(attempt);
          if (folders.mayHaveNotes(attempt) && NodeContainers.isIn(folder)) {
            engines.finish(folder, unread, () -> read(attempt, unread));
          } else {
            read(attempt, unread);
          }
        });
  }

  private void read(AttemptId attempt, UninterpretedAttemptEnd unread) {
    agent.tell(new NodeAgentCommand.EndRead(attempt, folders.end(attempt, unread)));
  }

  /**
   * Finds the attempts that a lost keeper had not begun; tells {@link
   * NodeAgentCommand.UnbegunFound}.
   *
   * @param waiting attempts that waited there for their slot
   * @param held attempts that the keeper had
   */
  void findUnbegun(String cause, List<AttemptId> waiting, List<AttemptId> held) {
    work.<List<AttemptId>>add(
        () ->
            waiting.stream()
                .filter(attempt -> !TaskFolder.of(settings, attempt).mayHaveBegun())
                .toList(),
        fault -> List.of(), // any may have begun
        unbegun ->
            afterContainers(
                held, () -> agent.tell(new NodeAgentCommand.UnbegunFound(cause, unbegun, held))));
  }

  /** Removes the containers of attempts whose keeper was lost, before that is reported. */
  private void afterContainers(List<AttemptId> held, Runnable then) {
    Stream<TaskFolder> all = held.stream().map(attempt -> TaskFolder.of(settings, attempt));
    engines.finishLost(all.filter(NodeContainers::isIn).toList(), then);
  }

  /** Notes that a program gives its devices back; tells {@link NodeAgentCommand.GiveBackNoted}. */
  void noteGiveBack(GiveBack back) {
    notes.giveBack(
        back.attempt(),
        new DeviceLeaseRecord.GivenBack(back.succeeded(), back.error(), back.again()),
        () -> agent.tell(new NodeAgentCommand.GiveBackNoted(back.attempt())));
  }

  /** Reads what running tasks have used; tells {@link NodeAgentCommand.UseRead}. */
  void readUse() {
    work.add(
        () -> {
          try {
            agent.tell(new NodeAgentCommand.UseRead(TaskUsageFile.read(settings.folder())));
          } catch (IOException fault) {
            LOG.warn("what tasks use cannot be read: {}", fault.toString());
          }
        });
  }

  /**
   * Moves the folders of commands, whose output stays readable, and has their scratch removed. What
   * the attempts had is free for orders that come later, however long the moving takes.
   */
  void retire(List<AttemptId> attempts) {
    attempts.forEach(containers::forget);
    List<AttemptId> all = List.copyOf(attempts);
    work.add(
        () -> {
          all.forEach(this::release);
          retireSome(all);
        });
  }

  private void release(AttemptId attempt) {
    gangPorts.release(attempt);
    pinned.release(attempt);
    output.ended(attempt);
  }

  /** Moves some; other work with files goes in between, and is not kept waiting by a slow disk. */
  private void retireSome(List<AttemptId> attempts) {
    long begun = nanoClock.getAsLong();
    int next = 0;
    try {
      do {
        retireNow(attempts.get(next++));
      } while (next < attempts.size()
          && next < RETIRED_AT_ONCE
          && nanoClock.getAsLong() - begun < FolderPreparationQueue.MOST_NANOS);
    } finally {
      List<AttemptId> rest = attempts.subList(next, attempts.size());
      if (!rest.isEmpty()) {
        work.add(() -> retireSome(rest));
      }
    }
  }

  private void retireNow(AttemptId attempt) {
    try {
      if (folders.retire(attempt)) {
        output.clean(attempt);
      }
    } catch (IOException | RuntimeException fault) {
      LOG.warn("cannot move {} to the ended tasks: {}", attempt, fault.toString());
    }
  }
}
