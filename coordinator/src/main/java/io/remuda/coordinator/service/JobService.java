package io.remuda.coordinator.service;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.Distribution;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccess;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.rest.BearerTokens;
import io.remuda.coordinator.rest.StopMode;
import io.remuda.coordinator.status.RunningEnsembles;
import io.remuda.coordinator.store.Database;
import io.remuda.coordinator.store.StateInUse;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.StoreOpening;
import io.remuda.coordinator.store.row.StoreDamaged;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.worker.job.EndingTerms;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running job service: its folder, its store, its actor system and the agent of its machine. Any
 * thread may wait for it or end it.
 */
public final class JobService {

  private static final Logger LOG = LoggerFactory.getLogger(JobService.class);
  private static final long AGENT_MILLIS = 3000;
  private static final long STOP_MILLIS = 10_000;

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
   * @param database that holds the state; empty for a file in {@code home}
   */
  public record Request(
      Path home,
      Path cache,
      InetSocketAddress listen,
      boolean tls,
      String user,
      String machine,
      Optional<List<String>> agent,
      Optional<Database> database) {}

  /** How a service ends. */
  public enum End {
    /** Its tasks continue; the next server of this folder takes them over. */
    TASKS_RUN_ON,
    /** Running tasks are cancelled. */
    TASKS_END,
    /** Running tasks are killed. */
    TASKS_ARE_KILLED,
    /** The server has failed; its tasks continue. */
    FAULT;

    static End of(StopMode mode) {
      return switch (mode) {
        case TASKS_RUN_ON -> TASKS_RUN_ON;
        case TASKS_END -> TASKS_END;
        case TASKS_ARE_KILLED -> TASKS_ARE_KILLED;
      };
    }
  }

  private final ServiceFolder folder;
  private final Store.Opened store;
  private final ActorSystem<ServiceGuardian.Command> system;
  private final Optional<OwnAgent> agent;
  private final ServerAccess access;
  private final List<String> notes;

  private JobService(
      ServiceFolder folder,
      Store.Opened store,
      ActorSystem<ServiceGuardian.Command> system,
      Optional<OwnAgent> agent,
      ServerAccess access,
      List<String> notes) {
    this.folder = folder;
    this.store = store;
    this.system = system;
    this.agent = agent;
    this.access = access;
    this.notes = notes;
  }

  /**
   * Starts a service and waits until it listens.
   *
   * @throws IOException if the folder is in use or cannot be written, or a port is taken
   * @throws StoreDamaged if its state cannot be trusted
   */
  public static JobService start(Request request)
      throws IOException, GeneralSecurityException, StoreDamaged, InterruptedException {
    Distribution distribution = Distribution.locate();
    ServiceFolder folder = ServiceFolder.take(request.home());
    StoreOpening opening = opening(request, folder); // while the classes of actors are loaded
    ServiceBase base = null;
    JobService service = null;
    try {
      base = prepare(request, folder, opening);
      Store.Opened store = get(opening);
      if (request.database().isPresent()) {
        folder.noteStateIn(request.database().get().name());
      }
      service = start(request, distribution, folder, base, store);
      return service;
    } finally {
      if (service == null) {
        giveBack(folder, opening, base);
      }
    }
  }

  private static StoreOpening opening(Request request, ServiceFolder folder) throws IOException {
    try {
      folder.requireStateIn(request.database().map(Database::name));
    } catch (IOException elsewhere) {
      folder.close();
      throw elsewhere;
    }
    Clock clock = Clock.systemUTC();
    return request
        .database()
        .map(database -> StoreOpening.begin(database, clock))
        .orElseGet(() -> StoreOpening.begin(folder.path(), clock));
  }

  /**
   * Prepares the base. A fault of the store is reported first: a port may be taken by a server that
   * uses this state, though its lock file was removed.
   */
  private static ServiceBase prepare(Request request, ServiceFolder folder, StoreOpening opening)
      throws IOException, GeneralSecurityException, StoreDamaged, InterruptedException {
    try {
      return ServiceBase.prepare(request, folder);
    } catch (IOException fault) {
      get(opening);
      throw fault;
    }
  }

  /** Releases the resources of a failed start; {@code base} is null if it was not prepared. */
  private static void giveBack(ServiceFolder folder, StoreOpening opening, ServiceBase base) {
    if (base != null) {
      base.system().terminate();
    }
    try {
      opening.get().journal().close();
    } catch (IOException | StoreDamaged | IllegalStateException notOpened) {
      LOG.debug("the state was not opened", notOpened); // the caller reports the first fault
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    try {
      folder.close();
    } catch (IOException fault) {
      LOG.warn("{} cannot be released: {}", folder.path(), fault.toString());
    }
  }

  private static Store.Opened get(StoreOpening opening)
      throws IOException, StoreDamaged, InterruptedException {
    try {
      return opening.get();
    } catch (StateInUse taken) {
      throw new FolderInUse(taken.getMessage() + ": use it, or set REMUDA_HOME");
    }
  }

  private static JobService start(
      Request request,
      Distribution distribution,
      ServiceFolder folder,
      ServiceBase base,
      Store.Opened store)
      throws IOException, InterruptedException {
    BearerTokens tokens = new BearerTokens(store.state().users(), request.user());
    boolean leaked = request.tls() && base.before().map(ServerAccess::isClearText).orElse(false);
    String token =
        base.before().filter(access -> !leaked).map(ServerAccess::token).orElseGet(tokens::create);
    List<UserRow> renewed = leaked ? renewed(tokens, request.user()) : List.of();
    renewed.forEach(user -> tokens.add(user, false));
    ServiceGuardian.Setup setup =
        new ServiceGuardian.Setup(
            base.settings(),
            base.key(),
            base.agents(),
            base.rest(),
            request.tls(),
            RunningEnsembles.fileOf(folder.path()),
            store,
            Clock.systemUTC(),
            tokens,
            request.user(),
            token,
            renewed);
    ServerAccess access = access(base.key(), begin(base.system(), setup), request, token);
    access.write(base.file());
    Optional<OwnAgent> agent =
        request.agent().map(more -> ownAgent(request, distribution, folder, base.file(), more));
    if (agent.isPresent()) {
      agent.get().start();
    }
    return new JobService(
        folder, store, base.system(), agent, access, notes(base, leaked, renewed));
  }

  /** Starts the service and waits until it listens. */
  private static ServiceGuardian.Listens begin(
      ActorSystem<ServiceGuardian.Command> system, ServiceGuardian.Setup setup)
      throws IOException, InterruptedException {
    try {
      ServiceGuardian.Start start =
          AskPattern.<ServiceGuardian.Command, ServiceGuardian.Start>ask(
                  system,
                  replyTo -> new ServiceGuardian.Begin(setup, replyTo),
                  LONGEST_WAIT,
                  system.scheduler())
              .toCompletableFuture()
              .get();
      if (start instanceof ServiceGuardian.Failed failed) {
        throw new IOException(failed.cause());
      }
      return (ServiceGuardian.Listens) start;
    } catch (ExecutionException ended) {
      throw new IOException("see the lines above", ended);
    }
  }

  /** Returns the other users without tokens, since theirs were sent in clear text, too. */
  private static List<UserRow> renewed(BearerTokens tokens, String owner) {
    return tokens.users().stream()
        .filter(user -> !user.name().equals(owner))
        .map(user -> user.without(UserRow.RENEW))
        .toList();
  }

  private static List<String> notes(ServiceBase base, boolean leaked, List<UserRow> renewed) {
    List<String> notes = new ArrayList<>(base.notes());
    if (leaked) {
      notes.add(
          "until now tokens were sent in clear text: "
              + base.file()
              + " has a new one, and the old one is invalid");
    }
    for (UserRow user : renewed) {
      notes.add("user " + user.name() + " needs a new access file: remuda user add " + user.name());
    }
    return List.copyOf(notes);
  }

  private static OwnAgent ownAgent(
      Request request,
      Distribution distribution,
      ServiceFolder folder,
      Path access,
      List<String> more) {
    return new OwnAgent(
        new OwnAgent.Launch(
            request.machine(),
            folder.node(request.machine()),
            access,
            request.cache(),
            distribution,
            more));
  }

  private static ServerAccess access(
      ClusterKey key, ServiceGuardian.Listens addresses, Request request, String token)
      throws IOException {
    AccessFile agents = key.access(List.of(text(addresses.agents())));
    return new ServerAccess(
        AccessFile.VERSION,
        agents.contacts(),
        agents.certificate(),
        agents.privateKey(),
        (request.tls() ? "https://" : "http://") + text(addresses.rest()),
        request.tls() ? agents.certificate() : null,
        request.tls() ? null : Boolean.TRUE,
        request.user(),
        token);
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** Returns the addresses of the service and the owner's token. */
  public ServerAccess access() {
    return access;
  }

  /** Returns messages about this start for the owner, one line each. */
  public List<String> notes() {
    return notes;
  }

  /** Ends the service, whose new jobs wait for the next one, once it has been idle for so long. */
  public void endWhenIdle(Duration limit) throws IOException {
    IdleEnd.watch(system, store.store().reader(), limit, () -> end(End.TASKS_RUN_ON));
  }

  /** Orders the service to end; {@link #await} ends it and returns. */
  public void end(End how) {
    system.tell(new ServiceGuardian.Stop(how));
  }

  /** Returns once nothing runs any more, or what still does has had its time. */
  private void endTasks(CoordinatorCommand.Urgency urgency) {
    try {
      AskPattern.<ServiceGuardian.Command, ServiceGuardian.NodesEnd>ask(
              system,
              replyTo -> new ServiceGuardian.EndTasks(urgency, replyTo),
              Duration.ofMillis(EndingTerms.MOST_GRACE_MILLIS + STOP_MILLIS),
              system.scheduler())
          .toCompletableFuture()
          .join();
    } catch (CompletionException late) {
      LOG.warn("the tasks do not end: {}", late.getMessage());
    }
  }

  /** Returns how the service is to end, once that is ordered; a fault if its actors have failed. */
  private End awaitOrder() throws InterruptedException {
    while (true) {
      try {
        return AskPattern.<ServiceGuardian.Command, End>ask(
                system, ServiceGuardian.AwaitStop::new, LONGEST_WAIT, system.scheduler())
            .toCompletableFuture()
            .get();
      } catch (ExecutionException unanswered) {
        if (system.getWhenTerminated().toCompletableFuture().isDone()) {
          return End.FAULT;
        }
      }
    }
  }

  /** Waits for the order to end, ends the service, and returns how it was to end. */
  public End await() throws InterruptedException, IOException {
    End how = awaitOrder();
    if (how == End.TASKS_END || how == End.TASKS_ARE_KILLED) {
      endTasks(
          how == End.TASKS_END
              ? CoordinatorCommand.Urgency.IN_GRACE
              : CoordinatorCommand.Urgency.AT_ONCE);
      if (agent.isPresent()) {
        agent.get().awaitEnd(STOP_MILLIS);
      }
    }
    if (agent.isPresent()) {
      agent.get().end(AGENT_MILLIS);
    }
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
    store.journal().close();
    folder.close();
    return how;
  }
}
