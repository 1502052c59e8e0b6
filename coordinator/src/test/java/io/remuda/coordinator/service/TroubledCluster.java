package io.remuda.coordinator.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.ClusterProcesses;
import io.remuda.coordinator.testkit.ClusterProcesses.Place;
import io.remuda.coordinator.testkit.CuttableNetwork;
import io.remuda.coordinator.testkit.HostsNetwork;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.PostgresProcess;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Three coordinators with an agent each, one more agent, and PostgreSQL, each on a host of its own,
 * to which troubles are done. Where there can be no hosts all of them are on this machine.
 */
final class TroubledCluster implements AutoCloseable {

  /** The node without a coordinator. */
  static final String FAR = "far";

  static final List<String> MEMBERS = List.of("a", "b", "c");
  static final String STORE = "store";
  private static final String CPUS = "2";
  private static final int PORT = 7510;
  private static final int STORE_PORT = 5432;
  private static final Duration CALM = Duration.ofSeconds(90);
  private static final Duration SHORT = Duration.ofSeconds(5);

  private final Path folder;
  private final Optional<HostsNetwork> network;
  private final PostgresProcess store;
  private final ClusterProcesses cluster;
  private final Map<String, Integer> done = new TreeMap<>();
  private final List<String> notDone = new ArrayList<>();

  /** Hosts for a cluster, or none, which it says. */
  static Optional<HostsNetwork> network() {
    try {
      List<String> names = new ArrayList<>(MEMBERS);
      names.addAll(List.of(FAR, STORE));
      return Optional.of(HostsNetwork.open(names));
    } catch (IOException none) {
      System.out.println("faults: nothing is cut off: " + none.getMessage());
      return Optional.empty();
    }
  }

  /** A cluster that runs. */
  static TroubledCluster start(Path folder, Optional<HostsNetwork> network) throws Exception {
    TroubledCluster own = new TroubledCluster(folder, network);
    try {
      own.start();
      return own;
    } catch (Exception | AssertionError fault) {
      own.close();
      throw fault;
    }
  }

  private TroubledCluster(Path folder, Optional<HostsNetwork> network) throws Exception {
    this.folder = Files.createDirectories(folder);
    this.network = network;
    this.store =
        new PostgresProcess(
                folder.resolve(STORE),
                network.map(own -> own.on(STORE)).orElse(List.of()),
                network.map(own -> own.address(STORE)).orElse("127.0.0.1"),
                network.isPresent() ? STORE_PORT : freePort(),
                network.map(HostsNetwork::addresses).orElse("127.0.0.1/32"))
            .start();
    store.run("CREATE SCHEMA remuda");
    Map<String, Place> places = new LinkedHashMap<>();
    for (String name : MEMBERS) {
      places.put(name, place(name));
    }
    this.cluster = new ClusterProcesses(Installation.find(), folder, store.url("remuda"), places);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Agents of one machine would have the same name, so without hosts they are started by hand. */
  private Place place(String name) throws IOException {
    return network.isPresent()
        ? new Place(
            network.get().address(name) + ":" + PORT,
            network.get().on(name),
            List.of("--cpus", CPUS))
        : Place.here();
  }

  private void start() throws IOException {
    for (String name : MEMBERS) {
      TaskLines.prepare(Files.createDirectories(folder.resolve(name)));
    }
    cluster.start();
    cluster
        .member("a")
        .agent(network.map(own -> own.on(FAR)).orElse(List.of()), FAR, "--cpus", CPUS);
    if (network.isEmpty()) {
      for (String name : MEMBERS) {
        cluster.member(name).agent(name, "--cpus", CPUS);
      }
    }
    awaitWhole();
  }

  ClusterProcesses cluster() {
    return cluster;
  }

  PostgresProcess store() {
    return store;
  }

  /** The address of a member's host, from which it reaches the database. */
  Optional<String> address(String member) {
    return network.map(own -> own.address(member));
  }

  /**
   * Waits until all members and all nodes are there, and each member sees so: one that was cut off
   * may not know yet that it was removed, and takes its leave then.
   */
  void awaitWhole() {
    for (String name : MEMBERS) {
      cluster.awaitReady(name, CALM);
      cluster.member(name).await("all members, as " + name + " sees them", CALM, () -> allUp(name));
    }
    ServiceProcess any = cluster.member("a");
    any.await("four nodes", CALM, () -> ready(any) == MEMBERS.size() + 1);
  }

  private boolean allUp(String asked) throws IOException {
    JsonNode members = cluster.member(asked).client().get("/cluster").path("members");
    int up = 0;
    for (JsonNode one : members) {
      up += one.path("state").asText().equals("up") ? 1 : 0;
    }
    return up == MEMBERS.size();
  }

  private static int ready(ServiceProcess member) throws IOException {
    int ready = 0;
    for (JsonNode node : member.client().get("/nodes").path("nodes")) {
      ready += node.path("state").asText().equals("ready") ? 1 : 0;
    }
    return ready;
  }

  /** Waits until no job is left that is not over. */
  void awaitAllOver() {
    ServiceProcess any = cluster.member("b");
    any.await(
        "end of all jobs", CALM, () -> any.client().get("/jobs?limit=1").path("jobs").isEmpty());
  }

  /** How often each trouble was done. */
  Map<String, Integer> done() {
    return Map.copyOf(done);
  }

  /** Troubles of this round that could not be done. */
  List<String> notDone() {
    return List.copyOf(notDone);
  }

  /** Does the troubles of a round at their times; returns when all are undone. */
  void suffer(List<ClusterTrouble> troubles) throws Exception {
    notDone.clear();
    Timeline timeline = new Timeline();
    for (ClusterTrouble trouble : troubles) {
      timeline.at(trouble.atMillis(), () -> begin(trouble, timeline));
    }
    timeline.run();
  }

  private void begin(ClusterTrouble trouble, Timeline timeline) throws Exception {
    Optional<String> host = host(trouble);
    if (host.isEmpty() || (trouble.kind().isCut() && network.isEmpty())) {
      notDone.add("left out: " + trouble);
      return;
    }
    done.merge(trouble.words(), 1, Integer::sum);
    strike(trouble, host.get());
    timeline.in(trouble.forMillis(), () -> undo(trouble, host.get()));
  }

  private Optional<String> host(ClusterTrouble trouble) {
    return switch (trouble.target()) {
      case STORE -> Optional.of(STORE);
      case AGENT_HOST -> Optional.of(FAR);
      case LEADER -> leader();
      case FOLLOWER -> leader().map(leader -> follower(leader, trouble.choice()));
    };
  }

  private static String follower(String leader, int choice) {
    List<String> followers = MEMBERS.stream().filter(name -> !name.equals(leader)).toList();
    return followers.get(choice % followers.size());
  }

  /** The leader, as a member knows it that runs; one that is stopped or away does not answer. */
  private Optional<String> leader() {
    String[] found = {""};
    try {
      cluster
          .member("a")
          .await(
              "leader",
              SHORT,
              () -> {
                found[0] = cluster.leader("a");
                return !found[0].isEmpty() && cluster.isRunning(found[0]);
              });
    } catch (AssertionError nobody) {
      return Optional.empty();
    }
    return Optional.of(found[0]);
  }

  private void strike(ClusterTrouble trouble, String host) throws Exception {
    switch (trouble.kind()) {
      case KILL -> {
        if (host.equals(STORE)) {
          store.kill();
        } else {
          cluster.signal(host, "KILL");
        }
      }
      case TERM -> cluster.signal(host, "TERM");
      case PAUSE -> cluster.signal(host, "STOP");
      case HAND_OVER -> handOver(host);
      case CUT -> network.orElseThrow().cut(host, CuttableNetwork.Cut.SILENT);
      case UNPLUG -> network.orElseThrow().cut(host, CuttableNetwork.Cut.UNPLUGGED);
      case BLIND -> network.orElseThrow().hide(STORE, host);
    }
  }

  private void handOver(String host) {
    try {
      cluster.handOver(host);
    } catch (IOException refused) {
      notDone.add("no hand-over: " + refused.getMessage());
    }
  }

  private void undo(ClusterTrouble trouble, String host) throws Exception {
    switch (trouble.kind()) {
      case KILL, TERM -> startAgain(host);
      case PAUSE -> {
        if (cluster.isRunning(host)) { // else the second trouble has killed it meanwhile
          cluster.signal(host, "CONT");
        }
      }
      case CUT, UNPLUG -> network.orElseThrow().join(host);
      case BLIND -> network.orElseThrow().show(STORE, host);
      case HAND_OVER -> {
        // it joins again by itself
      }
    }
  }

  private void startAgain(String host) throws IOException {
    if (host.equals(STORE)) {
      store.launch();
      return;
    }
    cluster.member(host).await("end of " + host, CALM, () -> !cluster.isRunning(host));
    cluster.launch(host);
  }

  /** Copies what tells what has happened, with the threads of all members. */
  void keep(Path to, String text) throws IOException {
    Files.createDirectories(to);
    for (String name : MEMBERS) {
      if (cluster.isRunning(name)) {
        cluster.signal(name, "CONT");
        cluster.signal(name, "QUIT"); // it prints them
      }
    }
    Files.writeString(to.resolve("what.txt"), text + "\n\n" + cluster.member("a").describe());
    try (Stream<Path> files = Files.walk(folder, 6)) {
      for (Path file : files.filter(TroubledCluster::isTelling).toList()) {
        Files.copy(file, to.resolve(folder.relativize(file).toString().replace('/', '_')));
      }
    }
  }

  private static boolean isTelling(Path file) {
    return Files.isRegularFile(file)
        && file.getFileName().toString().matches(".*\\.(log|out)|\\d+\\.\\d+");
  }

  @Override
  public void close() {
    if (network.isPresent()) {
      for (String name : MEMBERS) {
        rejoin(name);
      }
      rejoin(FAR);
      rejoin(STORE);
    }
    try {
      if (cluster != null) {
        cluster.close();
      }
      store.close();
      for (String name : MEMBERS) {
        for (long pid : TaskLines.living(folder.resolve(name))) {
          ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
      }
    } catch (IOException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private void rejoin(String host) {
    try {
      network.orElseThrow().join(host);
    } catch (IOException fault) {
      System.out.println("faults: " + fault.getMessage());
    }
  }
}
