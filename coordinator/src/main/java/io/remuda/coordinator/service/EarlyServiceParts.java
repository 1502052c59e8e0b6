package io.remuda.coordinator.service;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cluster.ArteryTls;
import io.remuda.coordinator.cluster.ClusterFile;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.coordinator.cluster.SchemaUpgradeRule;
import io.remuda.coordinator.cluster.ShutdownConnectionCloser;
import io.remuda.coordinator.cluster.watch.DeadMemberWatch;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.settings.FreeAddressCheck;
import io.remuda.coordinator.settings.PortOwnerUserId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/**
 * The parts of a service that do not need the store.
 *
 * @param before the access file of the previous server of this folder
 * @param tls with all others
 * @param agents address to which agents connect; port 0 for any
 * @param rest address of the HTTP interface; port 0 for any
 * @param notes messages about previous ports that are taken, and about the node of this machine
 */
record EarlyServiceParts(
    CoordinatorSettings settings,
    Path file,
    Optional<ServerAccessFile> before,
    ClusterKey key,
    ClusterTls tls,
    InetSocketAddress agents,
    InetSocketAddress rest,
    List<String> notes,
    ActorSystem<ServerRootActor.Command> system) {

  private static final String NAME = "remuda";

  /**
   * A server that is alone has nobody to send heartbeats to; at the usual interval Pekko complains
   * about delays of each round whenever the machine is busy.
   */
  static final Config ALONE =
      ConfigFactory.parseMap(Map.of("pekko.cluster.failure-detector.heartbeat-interval", "1h"));

  /** Of the members in the cluster's file, not of those that are left of them. */
  private static final String QUORUM = "pekko.cluster.split-brain-resolver.";

  static EarlyServiceParts prepare(RunningJobServer.Request request, ServiceFolder folder)
      throws IOException, GeneralSecurityException {
    CoordinatorSettings settings =
        CoordinatorSettings.load(LayeredSettingsReader.in(folder.path()));
    Path file = folder.path().resolve(ServerAccessFile.FILE);
    if (request.member().isPresent()) {
      return ofMember(request, settings, file, folder);
    }
    Optional<ServerAccessFile> before = ServerAccessFile.read(file);
    ClusterKey key =
        ownersOnly(before, file).isPresent()
            ? ClusterKey.of(AccessFile.read(file))
            : ClusterKey.create(
                request.user(), hosts(request.listen()), Clock.systemUTC().instant());
    InetAddress own = request.listen().getAddress();
    List<String> notes = new ArrayList<>();
    InetSocketAddress rest = rest(request, before, notes);
    InetSocketAddress agents = agents(own, before, file, notes);
    OwnNodeAbsence.of(request, folder).foreseen().ifPresent(notes::add);
    ClusterTls tls = ClusterTls.of(key.access(List.of()));
    ActorSystem<ServerRootActor.Command> system =
        ActorSystem.create(
            ServerRootActor.create(),
            NAME,
            ArteryTls.setup(ALONE.withFallback(config(request, folder)), tls));
    return new EarlyServiceParts(
        settings, file, before, key, tls, agents, rest, List.copyOf(notes), system);
  }

  /** Returns the names of the machine that are known without asking the network. */
  private static List<String> hosts(InetSocketAddress listen) {
    return listen.getAddress().isAnyLocalAddress()
        ? List.of()
        : List.of(listen.getHostString(), listen.getAddress().getHostAddress());
  }

  /** Prepares the base of a cluster's member, whose addresses and key its files say. */
  private static EarlyServiceParts ofMember(
      RunningJobServer.Request request,
      CoordinatorSettings settings,
      Path file,
      ServiceFolder folder)
      throws IOException, GeneralSecurityException {
    LocalMemberConfig member = request.member().orElseThrow();
    int schema = request.database().orElseThrow().newestVersion();
    ClusterFile.Member self = member.self();
    InetAddress host = InetAddress.getByName(self.host());
    for (int port = self.port(); port <= self.coordinatorPort(); port++) {
      FreeAddressCheck.check(
          new InetSocketAddress(host, port),
          "member " + self.name(),
          "the cluster's file names an address of this machine and three free ports in a row");
    }
    ActorSystem<ServerRootActor.Command> system =
        ActorSystem.create(
            ServerRootActor.create(),
            NAME,
            ArteryTls.setup(
                ConfigFactory.parseMap(
                        Map.of(
                            "pekko.remote.artery.canonical.hostname",
                            self.host(),
                            "pekko.remote.artery.canonical.port",
                            self.coordinatorPort(),
                            "pekko.cluster.roles",
                            List.of(
                                "coordinator",
                                SchemaUpgradeRule.role(schema),
                                DeadMemberWatch.ROLE),
                            "pekko.cluster.min-nr-of-members",
                            member.cluster().majority(),
                            QUORUM + "active-strategy",
                            "static-quorum",
                            QUORUM + "static-quorum.quorum-size",
                            member.cluster().majority()))
                    .withFallback(config(request, folder)),
                member.secret().tls()));
    ShutdownConnectionCloser.closeAtEndOf(Adapter.toClassic(system));
    return new EarlyServiceParts(
        settings,
        file,
        ServerAccessFile.read(file),
        member.secret().get().keys().key(),
        member.secret().tls(),
        new InetSocketAddress(host, self.port() + 1),
        new InetSocketAddress(host, self.port()),
        List.of(),
        system);
  }

  private static Optional<ServerAccessFile> ownersOnly(Optional<ServerAccessFile> before, Path file)
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
      RunningJobServer.Request request, Optional<ServerAccessFile> before, List<String> notes)
      throws IOException {
    int asked = request.listen().getPort();
    InetAddress own = request.listen().getAddress();
    InetSocketAddress any = new InetSocketAddress(own, 0);
    FreeAddressCheck.check(
        asked == 0 ? any : request.listen(),
        "HTTP",
        "give --listen with an address of this machine and a free port, as HOST:PORT");
    InetSocketAddress last =
        new InetSocketAddress(
            own, asked != 0 ? asked : before.map(access -> port(access.rest())).orElse(0));
    if (asked != 0 || FreeAddressCheck.isFree(last)) {
      return last;
    }
    notes.add(
        "port "
            + last.getPort()
            + ", which this server used before, is taken"
            + PortOwnerUserId.said(last.getPort())
            + ": it listens on another port, which is in the access file; other users need a new"
            + " access file (remuda user add --replace NAME), or free that port and start again");
    return any;
  }

  private static InetSocketAddress agents(
      InetAddress own, Optional<ServerAccessFile> before, Path file, List<String> notes) {
    InetSocketAddress last = new InetSocketAddress(own, agentPort(before));
    if (FreeAddressCheck.isFree(last)) {
      return last;
    }
    notes.add(
        "port "
            + last.getPort()
            + ", which agents used before, is taken"
            + PortOwnerUserId.said(last.getPort())
            + ": agents must use another port; agents of other machines need the new "
            + file
            + ", or free that port and start again");
    return new InetSocketAddress(own, 0);
  }

  private static int agentPort(Optional<ServerAccessFile> before) {
    return before
        .filter(access -> access.contacts() != null && !access.contacts().isEmpty())
        .map(access -> port(access.contacts().get(0)))
        .orElse(0);
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static Config config(RunningJobServer.Request request, ServiceFolder folder)
      throws IOException {
    for (String store : List.of("cluster.jks", "cluster.p12")) { // of earlier builds
      Files.deleteIfExists(folder.path().resolve(store));
    }
    return request
        .standIns()
        .config()
        .withFallback(LayeredSettingsReader.in(folder.path()).over("coordinator"));
  }
}
