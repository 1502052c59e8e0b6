package io.remuda.coordinator.service;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.Distribution;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccess;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.rest.BearerTokens;
import io.remuda.coordinator.rest.StopMode;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.settings.FreeAddress;
import io.remuda.coordinator.settings.PortOwner;
import io.remuda.coordinator.status.RunningEnsembles;
import io.remuda.coordinator.store.StateInUse;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.StoreDamaged;
import io.remuda.coordinator.store.UserRow;
import io.remuda.worker.job.EndingTerms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
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

  /**
   * The parameters of a service.
   *
   * @param home its state folder
   * @param listen address of the HTTP interface; port 0 for the previous port, or any
   * @param tls whether the HTTP interface uses TLS
   * @param user its owner
   * @param machine name of this machine
   * @param agent options of the agent of this machine; empty for no agent
   */
  public record Request(
      Path home,
      Path cache,
      InetSocketAddress listen,
      boolean tls,
      String user,
      String machine,
      Optional<List<String>> agent) {}

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
  private final CompletableFuture<End> ending;

  private JobService(
      ServiceFolder folder,
      Store.Opened store,
      ActorSystem<ServiceGuardian.Command> system,
      Optional<OwnAgent> agent,
      ServerAccess access,
      List<String> notes,
      CompletableFuture<End> ending) {
    this.folder = folder;
    this.store = store;
    this.system = system;
    this.agent = agent;
    this.access = access;
    this.notes = notes;
    this.ending = ending;
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
    Future<Store.Opened> opening = open(folder); // while the classes of the actors are loaded
    Base base = null;
    JobService service = null;
    try {
      base = prepare(request, folder, opening);
      service = start(request, distribution, folder, base, get(opening));
      return service;
    } finally {
      if (service == null) {
        giveBack(folder, opening, base);
      }
    }
  }

  /**
   * Prepares the base. A fault of the store is reported first: a port may be taken by a server that
   * uses this state, though its lock file was removed.
   */
  private static Base prepare(Request request, ServiceFolder folder, Future<Store.Opened> opening)
      throws IOException, GeneralSecurityException, StoreDamaged, InterruptedException {
    try {
      return Base.prepare(request, folder);
    } catch (IOException fault) {
      get(opening);
      throw fault;
    }
  }

  /** Releases the resources of a failed start; {@code base} is null if it was not prepared. */
  private static void giveBack(ServiceFolder folder, Future<Store.Opened> opening, Base base) {
    if (base != null) {
      base.system().terminate();
    }
    try {
      opening.get().journal().close();
    } catch (ExecutionException notOpened) {
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

  private static Future<Store.Opened> open(ServiceFolder folder) {
    FutureTask<Store.Opened> opening =
        new FutureTask<>(() -> Store.open(folder.path(), Clock.systemUTC()));
    Thread thread = new Thread(opening, "store-opening");
    thread.setDaemon(true);
    thread.start();
    return opening;
  }

  private static Store.Opened get(Future<Store.Opened> opening)
      throws IOException, StoreDamaged, InterruptedException {
    try {
      return opening.get();
    } catch (ExecutionException fault) {
      if (fault.getCause() instanceof StoreDamaged damaged) {
        throw damaged;
      }
      if (fault.getCause() instanceof StateInUse taken) {
        throw new FolderInUse(taken.getMessage() + ": use it, or set REMUDA_HOME");
      }
      if (fault.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(fault.getCause());
    }
  }

  /**
   * The parts of a service that do not need the store.
   *
   * @param before the access file of the previous server of this folder
   * @param agents address to which agents connect; port 0 for any
   * @param rest address of the HTTP interface; port 0 for any
   * @param notes messages about previous ports that are taken
   */
  private record Base(
      CoordinatorSettings settings,
      Path file,
      Optional<ServerAccess> before,
      ClusterKey key,
      InetSocketAddress agents,
      InetSocketAddress rest,
      List<String> notes,
      ActorSystem<ServiceGuardian.Command> system) {

    static Base prepare(Request request, ServiceFolder folder)
        throws IOException, GeneralSecurityException {
      CoordinatorSettings settings = CoordinatorSettings.load();
      Path file = folder.path().resolve(ServerAccess.FILE);
      Optional<ServerAccess> before = ServerAccess.read(file);
      ClusterKey key =
          ownersOnly(before, file).isPresent()
              ? ClusterKey.of(AccessFile.read(file))
              : ClusterKey.create(request.user(), Clock.systemUTC().instant());
      InetAddress own = request.listen().getAddress();
      List<String> notes = new ArrayList<>();
      InetSocketAddress rest = rest(request, before, notes);
      InetSocketAddress agents = agents(own, before, file, notes);
      ActorSystem<ServiceGuardian.Command> system =
          ActorSystem.create(ServiceGuardian.create(), "remuda", config(folder, key));
      return new Base(settings, file, before, key, agents, rest, List.copyOf(notes), system);
    }

    private static Optional<ServerAccess> ownersOnly(Optional<ServerAccess> before, Path file)
        throws IOException {
      if (before.isPresent() && !before.get().isOwners()) {
        throw new IOException(
            file
                + " gives access to another user's server: set REMUDA_HOME to another folder for a"
                + " server of your own");
      }
      return before;
    }

    /** Returns the requested address; without a port, the previous port if it is free, or any. */
    private static InetSocketAddress rest(
        Request request, Optional<ServerAccess> before, List<String> notes) throws IOException {
      int asked = request.listen().getPort();
      InetAddress own = request.listen().getAddress();
      InetSocketAddress any = new InetSocketAddress(own, 0);
      FreeAddress.check(
          asked == 0 ? any : request.listen(),
          "HTTP",
          "give --listen with an address of this machine and a free port, as HOST:PORT");
      InetSocketAddress last =
          new InetSocketAddress(
              own, asked != 0 ? asked : before.map(access -> port(access.rest())).orElse(0));
      if (asked != 0 || FreeAddress.isFree(last)) {
        return last;
      }
      notes.add(
          "port "
              + last.getPort()
              + ", which this server used before, is taken"
              + PortOwner.said(last.getPort())
              + ": it listens on another port, which is in the access file; other users need a new"
              + " access file (remuda user add --replace NAME), or free that port and start again");
      return any;
    }

    private static InetSocketAddress agents(
        InetAddress own, Optional<ServerAccess> before, Path file, List<String> notes) {
      InetSocketAddress last = new InetSocketAddress(own, agentPort(before));
      if (FreeAddress.isFree(last)) {
        return last;
      }
      notes.add(
          "port "
              + last.getPort()
              + ", which agents used before, is taken"
              + PortOwner.said(last.getPort())
              + ": agents must use another port; agents of other machines need the new "
              + file
              + ", or free that port and start again");
      return new InetSocketAddress(own, 0);
    }
  }

  private static JobService start(
      Request request,
      Distribution distribution,
      ServiceFolder folder,
      Base base,
      Store.Opened store)
      throws IOException, InterruptedException {
    BearerTokens tokens = new BearerTokens(store.state().users(), request.user());
    boolean leaked = request.tls() && base.before().map(ServerAccess::isClearText).orElse(false);
    String token =
        base.before().filter(access -> !leaked).map(ServerAccess::token).orElseGet(tokens::create);
    List<UserRow> renewed = leaked ? renewed(tokens, request.user()) : List.of();
    renewed.forEach(user -> tokens.add(user, false));
    CompletableFuture<End> ending = new CompletableFuture<>();
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
            renewed,
            ending,
            new CompletableFuture<>());
    base.system()
        .getWhenTerminated()
        .thenRun(
            () -> setup.listening().completeExceptionally(new IOException("see the lines above")));
    base.system().tell(new ServiceGuardian.Begin(setup));
    try {
      ServiceGuardian.Addresses addresses = setup.listening().get();
      ServerAccess access = access(base.key(), addresses, request, token);
      access.write(base.file());
      Optional<OwnAgent> agent =
          request.agent().map(more -> ownAgent(request, distribution, folder, base.file(), more));
      if (agent.isPresent()) {
        agent.get().start();
      }
      return new JobService(
          folder, store, base.system(), agent, access, notes(base, leaked, renewed), ending);
    } catch (ExecutionException fault) {
      throw new IOException(fault.getCause().getMessage(), fault.getCause());
    }
  }

  /** Returns the other users without tokens, since theirs were sent in clear text, too. */
  private static List<UserRow> renewed(BearerTokens tokens, String owner) {
    return tokens.users().stream()
        .filter(user -> !user.name().equals(owner))
        .map(user -> user.without(UserRow.RENEW))
        .toList();
  }

  private static List<String> notes(Base base, boolean leaked, List<UserRow> renewed) {
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
      ClusterKey key, ServiceGuardian.Addresses addresses, Request request, String token)
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

  private static int agentPort(Optional<ServerAccess> before) {
    return before
        .filter(access -> access.contacts() != null && !access.contacts().isEmpty())
        .map(access -> port(access.contacts().get(0)))
        .orElse(0);
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static Config config(ServiceFolder folder, ClusterKey key)
      throws GeneralSecurityException, IOException {
    String password = UUID.randomUUID().toString();
    Path keys = folder.path().resolve("cluster.jks");
    Files.deleteIfExists(folder.path().resolve("cluster.p12")); // of earlier builds
    key.writeStore(keys, password.toCharArray());
    String ssl = "pekko.remote.artery.ssl.config-ssl-engine.";
    return ConfigFactory.parseMap(
            Map.of(
                ssl + "key-store", keys.toString(),
                ssl + "trust-store", keys.toString(),
                ssl + "key-store-password", password,
                ssl + "key-password", password,
                ssl + "trust-store-password", password))
        .withFallback(ConfigFactory.load("coordinator"));
  }

  /** Returns the addresses of the service and the owner's token. */
  public ServerAccess access() {
    return access;
  }

  /** Returns messages about this start for the owner, one line each. */
  public List<String> notes() {
    return notes;
  }

  /** Orders the service to end; {@link #await} ends it and returns. */
  public void end(End how) {
    ending.complete(how);
  }

  /** Returns once nothing runs any more, or what still does has had its time. */
  private void endTasks(Coordinator.Urgency urgency) {
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

  /** Waits for the order to end, ends the service, and returns how it was to end. */
  public End await() throws InterruptedException, IOException {
    End how = ending.join();
    if (how == End.TASKS_END || how == End.TASKS_ARE_KILLED) {
      endTasks(how == End.TASKS_END ? Coordinator.Urgency.IN_GRACE : Coordinator.Urgency.AT_ONCE);
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
