package io.remuda.coordinator.service;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.Distribution;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cluster.ClusterMember;
import io.remuda.coordinator.cluster.KeyReload;
import io.remuda.coordinator.cluster.MemberAccessFile;
import io.remuda.coordinator.cluster.StateSource;
import io.remuda.coordinator.rest.BearerTokens;
import io.remuda.coordinator.status.RunningEnsembles;
import io.remuda.coordinator.store.Database;
import io.remuda.coordinator.store.StateInUse;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.StoreOpening;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.StoreDamaged;
import io.remuda.coordinator.store.row.UserRow;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The start of a {@link JobService}. */
final class ServiceStart {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceStart.class);

  /** The actor system's timers reach no further than 248 days. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(200);

  private ServiceStart() {}

  /**
   * Starts a service and waits until it listens. A member of a cluster opens the state only when it
   * is to lead.
   *
   * @throws IOException if the folder is in use or cannot be written, or a port is taken
   * @throws StoreDamaged if its state cannot be trusted
   */
  static JobService start(JobService.Request request)
      throws IOException, GeneralSecurityException, StoreDamaged, InterruptedException {
    ServiceFolder folder = ServiceFolder.take(request.home());
    return request.member().isPresent()
        ? startMember(request, request.member().get(), folder)
        : startAlone(request, folder);
  }

  private static JobService startMember(
      JobService.Request request, ClusterMember member, ServiceFolder folder)
      throws IOException, GeneralSecurityException, StoreDamaged, InterruptedException {
    Database database = request.database().orElseThrow();
    EarlyServiceParts base = null;
    JobService service = null;
    try {
      folder.requireStateIn(Optional.of(database.name()));
      folder.noteStateIn(database.name());
      base = EarlyServiceParts.prepare(request, folder);
      StoreReader reader = StoreReader.later(database);
      BearerTokens tokens = new BearerTokens(List.of(), member.secret().get().user());
      StateSource source = new ClusterStateSource(database, base.system());
      UserRow owner =
          new UserRow(
              member.secret().get().user(), 1, BearerTokens.hash(member.secret().get().token()));
      begin(base, setup(request, base, folder, source, reader, database.name(), tokens, owner));
      ServerAccessFile access = MemberAccessFile.of(member);
      access.write(base.file());
      base.system()
          .systemActorOf(
              ClusterKeyRefresh.create(new KeyReload(member, base.file())),
              "keys",
              ClusterKeyRefresh.PROPS);
      service =
          new JobService(
              folder,
              Optional.empty(),
              reader,
              base.system(),
              agent(request, folder, base),
              Optional.empty(),
              access,
              List.of());
      return service;
    } finally {
      if (service == null) {
        giveBack(folder, Optional.empty(), base);
      }
    }
  }

  private static JobService startAlone(JobService.Request request, ServiceFolder folder)
      throws IOException, GeneralSecurityException, StoreDamaged, InterruptedException {
    StoreOpening opening = opening(request, folder); // while the classes of actors are loaded
    EarlyServiceParts base = null;
    JobService service = null;
    try {
      base = prepare(request, folder, opening);
      Store.Opened store = get(opening);
      if (request.database().isPresent()) {
        folder.noteStateIn(request.database().get().name());
      }
      service = startAlone(request, folder, base, store);
      return service;
    } finally {
      if (service == null) {
        giveBack(folder, Optional.of(opening), base);
      }
    }
  }

  private static StoreOpening opening(JobService.Request request, ServiceFolder folder)
      throws IOException {
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
  private static EarlyServiceParts prepare(
      JobService.Request request, ServiceFolder folder, StoreOpening opening)
      throws IOException, GeneralSecurityException, StoreDamaged, InterruptedException {
    try {
      return EarlyServiceParts.prepare(request, folder);
    } catch (IOException fault) {
      get(opening);
      throw fault;
    }
  }

  /** Releases the resources of a failed start; {@code base} is null if it was not prepared. */
  private static void giveBack(
      ServiceFolder folder, Optional<StoreOpening> opening, EarlyServiceParts base) {
    if (base != null) {
      base.system().terminate();
    }
    try {
      if (opening.isPresent()) {
        opening.get().get().journal().close();
      }
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

  private static JobService startAlone(
      JobService.Request request, ServiceFolder folder, EarlyServiceParts base, Store.Opened store)
      throws IOException, InterruptedException {
    BearerTokens tokens = new BearerTokens(store.state().users(), request.user());
    boolean leaked =
        request.tls() && base.before().map(ServerAccessFile::isClearText).orElse(false);
    String token =
        base.before()
            .filter(access -> !leaked)
            .map(ServerAccessFile::token)
            .orElseGet(tokens::create);
    List<UserRow> renewed = leaked ? renewed(tokens, request.user()) : List.of();
    renewed.forEach(user -> tokens.add(user, false));
    StoreReader reader = store.store().reader();
    StateSource source = () -> CompletableFuture.completedFuture(store);
    UserRow owner = new UserRow(request.user(), 1, BearerTokens.hash(token));
    ServiceSetup setup =
        setup(request, base, folder, source, reader, store.store().name(), tokens, owner);
    ServerAccessFile access =
        access(base.key(), begin(base, setup.withRenewed(renewed)), request, token);
    access.write(base.file());
    Optional<SlurmAllocationAgents> allocation = SlurmAllocationAgents.start(request, folder, base);
    return new JobService(
        folder,
        Optional.of(store),
        reader,
        base.system(),
        allocation.isPresent() ? Optional.empty() : agent(request, folder, base),
        allocation,
        access,
        notes(base, allocation, leaked, renewed));
  }

  private static ServiceSetup setup(
      JobService.Request request,
      EarlyServiceParts base,
      ServiceFolder folder,
      StateSource source,
      StoreReader reader,
      String store,
      BearerTokens tokens,
      UserRow owner) {
    return new ServiceSetup(
        base.settings(),
        base.tls(),
        base.agents(),
        base.rest(),
        request.tls(),
        RunningEnsembles.fileOf(folder.path()),
        folder.path(),
        source,
        reader,
        store,
        Clock.systemUTC(),
        tokens,
        owner,
        List.of(),
        request.member());
  }

  /** Starts the agent of this machine, unless there is to be none or one is alive. */
  private static Optional<OwnAgent> agent(
      JobService.Request request, ServiceFolder folder, EarlyServiceParts base) throws IOException {
    Distribution distribution = Distribution.locate();
    Optional<OwnAgent> agent =
        request.agent().map(more -> ownAgent(request, distribution, folder, base.file(), more));
    if (agent.isPresent()) {
      agent.get().start();
    }
    return agent;
  }

  /** Starts the service and waits until it listens. */
  private static ServiceGuardian.Listens begin(EarlyServiceParts base, ServiceSetup setup)
      throws IOException, InterruptedException {
    try {
      ServiceGuardian.Start start =
          AskPattern.<ServiceGuardian.Command, ServiceGuardian.Start>ask(
                  base.system(),
                  replyTo -> new ServiceGuardian.Begin(setup, replyTo),
                  LONGEST_WAIT,
                  base.system().scheduler())
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

  private static List<String> notes(
      EarlyServiceParts base,
      Optional<SlurmAllocationAgents> allocation,
      boolean leaked,
      List<UserRow> renewed) {
    List<String> notes = new ArrayList<>(base.notes());
    allocation.map(SlurmAllocationAgents::words).ifPresent(notes::add);
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
      JobService.Request request,
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

  private static ServerAccessFile access(
      ClusterKey key, ServiceGuardian.Listens addresses, JobService.Request request, String token)
      throws IOException {
    AccessFile agents = key.access(List.of(text(addresses.agents())));
    return new ServerAccessFile(
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
}
