package io.remuda.coordinator.service;

import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.coordinator.rest.ServerStopMode;
import io.remuda.coordinator.slurm.SlurmStepAgents;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.EndingTerms;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running job service: its folder, its store, its actor system and the agent of its machine. Any
 * thread may wait for it or end it.
 */
public final class RunningJobServer {

  private static final Logger LOG = LoggerFactory.getLogger(RunningJobServer.class);
  private static final long AGENT_MILLIS = 3000;
  private static final long STOP_MILLIS = 10_000;
  private static final Duration LONGEST_GRACE =
      Duration.ofMillis(EndingTerms.MOST_GRACE_MILLIS + STOP_MILLIS);

  /** The actor system's timers reach no further than 248 days. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(200);

  /**
   * The parameters of a service.
   *
   * @param home its state folder
   * @param listen address of the HTTP interface; port 0 for the previous port, or any
   * @param tls whether the HTTP interface uses TLS
   * @param user its owner
   * @param machine name of this machine
   * @param agent options of the agent of this machine; empty for no agent
   * @param launcher starts that agent
   * @param database that holds the state; empty for a file in {@code home}
   * @param member this coordinator in its cluster, whose addresses and owner then count; empty if
   *     it is alone
   * @param allocation the Slurm allocation whose nodes get agents, in place of the agent of this
   *     machine; empty for none
   * @param standIns {@link ServiceStandIns#NONE}, except in tests
   */
  public record Request(
      Path home,
      Path cache,
      InetSocketAddress listen,
      boolean tls,
      String user,
      String machine,
      Optional<List<String>> agent,
      AgentLauncher launcher,
      Optional<DatabaseBackend> database,
      Optional<LocalMemberConfig> member,
      Optional<Allocation> allocation,
      ServiceStandIns standIns) {

    /**
     * Returns the same for a server within another program.
     *
     * @param other starts the agent of this machine
     */
    public Request with(AgentLauncher other, ServiceStandIns parts) {
      return new Request(
          home,
          cache,
          listen,
          tls,
          user,
          machine,
          agent,
          other,
          database,
          member,
          allocation,
          parts);
    }
  }

  /**
   * The Slurm allocation of a service.
   *
   * @param margin time before its end at which the service begins to end
   */
  public record Allocation(SlurmStepAgents agents, Duration margin) {}

  /** How a service ends. */
  public enum End {
    /** Its tasks continue; the next server of this folder takes them over. */
    TASKS_RUN_ON,
    /** Running tasks are ended and wait for the next server: their machines are taken away. */
    TASKS_WAIT_AGAIN,
    /** Running tasks are cancelled. */
    TASKS_END,
    /** Running tasks are killed. */
    TASKS_ARE_KILLED,
    /** The member leaves its cluster and joins again; its tasks continue. */
    REJOIN,
    /** The server has failed; its tasks continue. */
    FAULT;

    static End of(ServerStopMode mode) {
      return switch (mode) {
        case TASKS_RUN_ON -> TASKS_RUN_ON;
        case TASKS_END -> TASKS_END;
        case TASKS_ARE_KILLED -> TASKS_ARE_KILLED;
      };
    }
  }

  private final ServiceFolder folder;
  private final Optional<StoreOpener.Opened> store;
  private final StoreReader reader;
  private final ActorSystem<ServerRootActor.Command> system;
  private final Optional<OwnAgent> agent;
  private final Optional<SlurmAllocationAgents> allocation;
  private final ServerAccessFile access;
  private final List<String> notes;

  RunningJobServer(
      ServiceFolder folder,
      Optional<StoreOpener.Opened> store,
      StoreReader reader,
      ActorSystem<ServerRootActor.Command> system,
      Optional<OwnAgent> agent,
      Optional<SlurmAllocationAgents> allocation,
      ServerAccessFile access,
      List<String> notes) {
    this.folder = folder;
    this.store = store;
    this.reader = reader;
    this.system = system;
    this.agent = agent;
    this.allocation = allocation;
    this.access = access;
    this.notes = notes;
  }

  /**
   * Starts a service and waits until it listens.
   *
   * @throws IOException if the folder is in use or cannot be written, or a port is taken
   * @throws StoreDamagedException if its state cannot be trusted
   */
  public static RunningJobServer start(Request request)
      throws IOException, GeneralSecurityException, StoreDamagedException, InterruptedException {
    return ServiceStart.start(request);
  }

  /** Returns the addresses of the service and the owner's token. */
  public ServerAccessFile access() {
    return access;
  }

  /** Returns messages about this start for the owner, one line each. */
  public List<String> notes() {
    return notes;
  }

  /** Ends the service, whose new jobs wait for the next one, once it has been idle for so long. */
  public void endWhenIdle(Duration limit) {
    IdleEnd.watch(system, reader, limit, () -> end(End.TASKS_RUN_ON));
  }

  /** Ends the agent that a member has left alone because it was to join its cluster again. */
  public void endLeftAgent() throws InterruptedException {
    if (agent.isPresent()) {
      agent.get().end(AGENT_MILLIS);
    }
  }

  /**
   * Orders the service to end; {@link #await} ends it and returns. In an allocation no task runs on
   * without the server.
   */
  public void end(End how) {
    system.tell(new ServerRootActor.Stop(how));
  }

  /** Returns once nothing runs any more, or what still does has had its time. */
  private void endTasks(
      CoordinatorCommand.Fate fate, CoordinatorCommand.Urgency urgency, Duration within) {
    try {
      AskPattern.<ServerRootActor.Command, ServerTaskShutdown.NodesEnd>ask(
              system,
              replyTo -> new ServerRootActor.EndTasks(fate, urgency, within, replyTo),
              LONGEST_GRACE.plusMillis(STOP_MILLIS),
              system.scheduler())
          .toCompletableFuture()
          .join();
    } catch (CompletionException late) {
      LOG.warn("the tasks do not end: {}", late.getMessage());
    }
  }

  /**
   * Returns how the service is to end, once that is ordered; a fault if its actors end without an
   * order, because they have failed or its cluster has removed it.
   */
  private End awaitOrder() throws InterruptedException {
    CompletableFuture<End> ended = plain(system.getWhenTerminated()).thenApply(done -> End.FAULT);
    while (true) {
      try {
        CompletableFuture<End> ordered =
            plain(
                AskPattern.<ServerRootActor.Command, End>ask(
                    system, ServerRootActor.AwaitStop::new, LONGEST_WAIT, system.scheduler()));
        return ordered.applyToEither(ended, how -> how).get();
      } catch (ExecutionException unanswered) {
        if (ended.isDone()) {
          return End.FAULT;
        }
      }
    }
  }

  /**
   * Returns a future whose steps run where it is completed. Those of Pekko's futures wait for a
   * thread of the common pool, from JDK 25 on also where that has one thread, and a program that
   * contains this server may have all of them at work.
   */
  private static <T> CompletableFuture<T> plain(CompletionStage<T> stage) {
    CompletableFuture<T> plain = new CompletableFuture<>();
    stage.whenCompleteAsync(
        (value, fault) -> {
          if (fault == null) {
            plain.complete(value);
          } else {
            plain.completeExceptionally(fault);
          }
        },
        Runnable::run);
    return plain;
  }

  /** Waits for the order to end, ends the service, and returns how it was to end. */
  public End await() throws InterruptedException, IOException {
    End how = inAllocation(awaitOrder());
    if (how == End.TASKS_WAIT_AGAIN) {
      endTasks(
          CoordinatorCommand.Fate.WAITS_AGAIN,
          CoordinatorCommand.Urgency.IN_GRACE,
          allocation.map(SlurmAllocationAgents::tasksEndWithin).orElse(Duration.ZERO));
    } else if (how == End.TASKS_END || how == End.TASKS_ARE_KILLED) {
      endTasks(
          CoordinatorCommand.Fate.CANCELLED,
          how == End.TASKS_END
              ? CoordinatorCommand.Urgency.IN_GRACE
              : CoordinatorCommand.Urgency.AT_ONCE,
          LONGEST_GRACE);
      if (agent.isPresent()) {
        agent.get().awaitEnd(STOP_MILLIS);
      }
    }
    allocation.ifPresent(SlurmAllocationAgents::end);
    if (isMember()) {
      system.terminate(); // another leads while the agent ends
    }
    if (agent.isPresent()) {
      endAgent(agent.get(), how);
    }
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
    try (ServiceFolder released = folder) {
      if (store.isPresent()) {
        store.get().journal().close();
      }
      reader.close();
    } catch (IOException away) {
      LOG.warn("{}", away.getMessage()); // its database is away; the folder is free
    }
    return how;
  }

  private End inAllocation(End how) {
    return how == End.TASKS_RUN_ON && allocation.isPresent() ? End.TASKS_WAIT_AGAIN : how;
  }

  /** A member opens the state only when it leads. */
  private boolean isMember() {
    return store.isEmpty();
  }

  /** A member that joins its cluster again finds its agent as it was. */
  private void endAgent(OwnAgent own, End how) throws InterruptedException {
    boolean again = isMember() && (how == End.REJOIN || how == End.FAULT);
    if (again) {
      own.leaveAlone();
    } else {
      own.end(AGENT_MILLIS);
    }
  }
}
