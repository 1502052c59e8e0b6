package io.remuda.coordinator.service;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cluster.KeyReload;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.coordinator.cluster.MemberAccessFile;
import io.remuda.coordinator.cluster.NewLeaderStateSource;
import io.remuda.coordinator.rest.UserTokenRegistry;
import io.remuda.coordinator.status.RunningEnsembles;
import io.remuda.coordinator.store.BackgroundStoreOpening;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StateInUseException;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.StoreDamagedException;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The start of a {@link RunningJobServer}. */
final class ServiceStart {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceStart.class);

  /** The actor system's timers reach no further than 248 days. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(200);

  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private ServiceStart() {}

  /**
   * Starts a service and waits until it listens. A member of a cluster opens the state only when it
   * is to lead.
   *
   * @throws IOException if the folder is in use or cannot be written, or a port is taken
   * @throws StoreDamagedException if its state cannot be trusted
   */
  static RunningJobServer start(RunningJobServer.Request request)
      throws IOException, GeneralSecurityException, StoreDamagedException, InterruptedException {
    ServiceFolder folder = ServiceFolder.take(request.home());
    return request.member().isPresent()
        ? startMember(request, request.member().get(), folder)
        : startAlone(request, folder);
  }

  private static RunningJobServer startMember(
      RunningJobServer.Request request, LocalMemberConfig member, ServiceFolder folder)
      throws IOException, GeneralSecurityException, StoreDamagedException, InterruptedException {
    DatabaseBackend database = request.database().orElseThrow();
    EarlyServiceParts base = null;
    RunningJobServer service = null;
    try {
      folder.requireStateIn(Optional.of(database.name()));
      folder.noteStateIn(database.name());
      base = EarlyServiceParts.prepare(request, folder);
      StoreReader reader = StoreReader.later(database);
      UserTokenRegistry tokens = new UserTokenRegistry(List.of(), member.secret().get().user());
      NewLeaderStateSource source = SharedDatabaseStateSource.followed(database, base);
      UserRow owner =
          new UserRow(
              member.secret().get().user(),
              1,
              UserTokenRegistry.hash(member.secret().get().token()));
      begin(base, setup(request, base, folder, source, reader, database.name(), tokens, owner));
      ServerAccessFile access = MemberAccessFile.of(member);
      access.write(base.file());
      base.system()
          .systemActorOf(
              ClusterKeyRefresh.create(new KeyReload(member, base.file())),
              "keys",
              ClusterKeyRefresh.PROPS);
      service =
          new RunningJobServer(
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

  private static RunningJobServer startAlone(RunningJobServer.Request request, ServiceFolder folder)
      throws IOException, GeneralSecurityException, StoreDamagedException, InterruptedException {
    BackgroundStoreOpening opening =
        opening(request, folder); // while the classes of actors are loaded
    EarlyServiceParts base = null;
    RunningJobServer service = null;
    try {
      base = prepare(request, folder, opening);
      StoreOpener.Opened store = get(opening);
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

  private static BackgroundStoreOpening opening(
      RunningJobServer.Request request, ServiceFolder folder) throws IOException {
    try {
      folder.requireStateIn(request.database().map(DatabaseBackend::name));
    } catch (IOException elsewhere) {
      folder.close();
      throw elsewhere;
    }
    Clock clock = request.standIns().clock();
    return request
        .database()
        .map(database -> BackgroundStoreOpening.begin(database, clock))
        .orElseGet(() -> BackgroundStoreOpening.begin(folder.path(), clock));
  }

  /**
   * Prepares the base. A fault of the store is reported first: a port may be taken by a server that
   * uses this state, though its lock file was removed.
   */
  private static EarlyServiceParts prepare(
      RunningJobServer.Request request, ServiceFolder folder, BackgroundStoreOpening opening)
      throws IOException, GeneralSecurityException, StoreDamagedException, InterruptedException {
    try {
      return EarlyServiceParts.prepare(request, folder);
    } catch (IOException fault) {
      get(opening);
      throw fault;
    }
  }

  /** Releases the resources of a failed start; {@code base} is null if it was not prepared. */
  private static void giveBack(
      ServiceFolder folder, Optional<BackgroundStoreOpening> opening, EarlyServiceParts base) {
    if (base != null) {
      end(base.system());
    }
    try {
      if (opening.isPresent()) {
        opening.get().get().journal().close();
      }
    } catch (IOException | StoreDamagedException | IllegalStateException notOpened) {
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

  /**
   * Ends an actor system that may still begin: one that is ended before its receptionist is there
   * prints a stack trace of that.
   */
  private static void end(ActorSystem<?> system) {
    try {
      AskPattern.<Receptionist.Command, Receptionist.Listing>ask(
              system.receptionist(),
              replyTo -> Receptionist.find(ServiceKey.create(String.class, "nobody"), replyTo),
              LONGEST_END,
              system.scheduler())
          .exceptionally(never -> null)
          .toCompletableFuture()
          .get();
      system.terminate();
      system
          .getWhenTerminated()
          .toCompletableFuture()
          .get(LONGEST_END.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException fault) {
      LOG.debug("the actor system has not ended", fault); // it ends with the process
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private static StoreOpener.Opened get(BackgroundStoreOpening opening)
      throws IOException, StoreDamagedException, InterruptedException {
    try {
      return opening.get();
    } catch (StateInUseException taken) {
      throw new FolderInUseException(taken.getMessage() + ": use it, or set REMUDA_HOME");
    }
  }

  private static RunningJobServer startAlone(
      RunningJobServer.Request request,
      ServiceFolder folder,
      EarlyServiceParts base,
      StoreOpener.Opened store)
      throws IOException, InterruptedException {
    RunningJobServer service = null;
    StoreReader reader = store.store().reader();
    try {
      service = startAlone(request, folder, base, store, reader);
      return service;
    } finally {
      if (service == null) {
        reader.close();
      }
    }
  }

  private static RunningJobServer startAlone(
      RunningJobServer.Request request,
      ServiceFolder folder,
      EarlyServiceParts base,
      StoreOpener.Opened store,
      StoreReader reader)
      throws IOException, InterruptedException {
    UserTokenRegistry tokens = new UserTokenRegistry(store.state().users(), request.user());
    boolean leaked =
        request.tls() && base.before().map(ServerAccessFile::isClearText).orElse(false);
    String token =
        base.before()
            .filter(access -> !leaked)
            .map(ServerAccessFile::token)
            .orElseGet(tokens::create);
    List<UserRow> renewed = leaked ? renewed(tokens, request.user()) : List.of();
    renewed.forEach(user -> tokens.add(user, false));
    NewLeaderStateSource source = () -> CompletableFuture.completedFuture(store);
    UserRow owner = new UserRow(request.user(), 1, UserTokenRegistry.hash(token));
    CoordinatorServiceParameters setup =
        setup(request, base, folder, source, reader, store.store().name(), tokens, owner);
    ServerAccessFile access =
        access(base.key(), begin(base, setup.withRenewed(renewed)), request, token);
    access.write(base.file());
    Optional<SlurmAllocationAgents> allocation = SlurmAllocationAgents.start(request, folder, base);
    return new RunningJobServer(
        folder,
        Optional.of(store),
        reader,
        base.system(),
        allocation.isPresent() ? Optional.empty() : agent(request, folder, base),
        allocation,
        access,
        notes(base, allocation, leaked, renewed));
  }

  private static CoordinatorServiceParameters setup(
      RunningJobServer.Request request,
      EarlyServiceParts base,
      ServiceFolder folder,
      NewLeaderStateSource source,
      StoreReader reader,
      String store,
      UserTokenRegistry tokens,
      UserRow owner) {
    return new CoordinatorServiceParameters(
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
        request.standIns().clock(),
        request.standIns().nanoClock(),
        tokens,
        owner,
        List.of(),
        request.member(),
        OwnNodeAbsence.of(request, folder));
  }

  /** Starts the agent of this machine, unless there is to be none or one is alive. */
  private static Optional<OwnAgent> agent(
      RunningJobServer.Request request, ServiceFolder folder, EarlyServiceParts base)
      throws IOException {
    Optional<OwnAgent> agent =
        request.agent().map(more -> ownAgent(request, folder, base.file(), more));
    if (agent.isPresent()) {
      agent.get().start();
    }
    return agent;
  }

  /** Starts the service and waits until it listens. */
  private static ServerRootActor.Listens begin(
      EarlyServiceParts base, CoordinatorServiceParameters setup)
      throws IOException, InterruptedException {
    try {
      ServerRootActor.Start start =
          AskPattern.<ServerRootActor.Command, ServerRootActor.Start>ask(
                  base.system(),
                  replyTo -> new ServerRootActor.Begin(setup, replyTo),
                  LONGEST_WAIT,
                  base.system().scheduler())
              .toCompletableFuture()
              .get();
      if (start instanceof ServerRootActor.Failed failed) {
        throw new IOException(failed.cause());
      }
      return (ServerRootActor.Listens) start;
    } catch (ExecutionException ended) {
      throw new IOException("see the lines above", ended);
    }
  }

  /** Returns the other users without tokens, since theirs were sent in clear text, too. */
  private static List<UserRow> renewed(UserTokenRegistry tokens, String owner) {
    return Stream.concat(
            tokens.users().stream()
                .filter(user -> !user.name().equals(owner))
                .map(user -> user.without(UserRow.RENEW)),
            tokens.metricsReaderWithoutToken().stream())
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
      RunningJobServer.Request request, ServiceFolder folder, Path access, List<String> more) {
    return new OwnAgent(
        new OwnAgent.Launch(
            request.machine(),
            folder.node(request.machine()),
            access,
            request.cache(),
            request.launcher(),
            more));
  }

  private static ServerAccessFile access(
      ClusterKey key,
      ServerRootActor.Listens addresses,
      RunningJobServer.Request request,
      String token)
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
