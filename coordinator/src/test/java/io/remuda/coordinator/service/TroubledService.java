package io.remuda.coordinator.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.testkit.CuttableNetwork;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A service of two nodes to which troubles are done: the server with its own agent, and an agent
 * that can be cut off from it.
 */
final class TroubledService implements AutoCloseable {

  /** The node that can be cut off. */
  static final String FAR = "far";

  private static final Duration CALM = Duration.ofSeconds(60);
  private static final String CPUS = "2";
  private static final long VICTIM_MILLIS = 800;
  private static final long LOOK_NANOS = 100_000_000;
  private static final int NODES = 2;
  private static final Map<Trouble.Kind, String> SIGNALS =
      Map.of(
          Trouble.Kind.KILL, "KILL",
          Trouble.Kind.TERM, "TERM",
          Trouble.Kind.PAUSE, "STOP",
          Trouble.Kind.FREEZE, "STOP");

  private final ServiceProcess service;
  private final Optional<CuttableNetwork> network;
  private final Set<String> killedTasks = new HashSet<>();
  private final List<Struck.KeeperHit> hitKeepers = new ArrayList<>();
  private final Map<String, Long> away = new ConcurrentHashMap<>();
  private final List<String> notDone = new ArrayList<>();
  private final Map<String, Integer> done = new TreeMap<>();

  /**
   * A service that runs.
   *
   * @param network between it and the far node; without one both are on this machine
   */
  static TroubledService start(Path folder, Optional<CuttableNetwork> network) throws IOException {
    Files.createDirectories(folder);
    TaskLines.prepare(folder);
    TroubledService own =
        new TroubledService(
            new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of()), network);
    own.start();
    return own;
  }

  private TroubledService(ServiceProcess service, Optional<CuttableNetwork> network) {
    this.service = service;
    this.network = network;
  }

  ServiceProcess service() {
    return service;
  }

  /** Starts all of it, and waits for it. */
  void start() throws IOException {
    launchServer();
    Path access = service.home().resolve(ServerAccessFile.FILE);
    service.await("an access file", CALM, () -> Files.exists(access)); // it stays once it is there
    launchFar();
    awaitWhole();
  }

  private void launchServer() throws IOException {
    List<String> options = new ArrayList<>(List.of("--cpus", CPUS));
    network.ifPresent(own -> options.addAll(List.of("--listen", own.address())));
    service.launch(options.toArray(String[]::new));
  }

  private void launchFar() throws IOException {
    service.agent(network.map(CuttableNetwork::inside).orElse(List.of()), FAR, "--cpus", CPUS);
  }

  /** Waits until both nodes are ready. */
  void awaitWhole() {
    service.await("a service that is whole", CALM, () -> ready() == 2);
  }

  private int ready() throws IOException {
    int ready = 0;
    for (JsonNode node : service.client().get("/nodes").path("nodes")) {
      ready += node.path("state").asText().equals("ready") ? 1 : 0;
    }
    return ready;
  }

  /** No job is left that is not over. */
  void awaitAllOver() {
    awaitAllOver(CALM);
  }

  /** Waits with another limit until all jobs have ended. */
  void awaitAllOver(Duration limit) {
    service.await(
        "end of all jobs",
        limit,
        () -> service.client().get("/jobs?limit=1").path("jobs").isEmpty());
  }

  /** How many tasks of the array the nodes have room for. */
  int room() throws IOException {
    double cores = 0;
    for (JsonNode node : service.client().get("/nodes").path("nodes")) {
      cores += Math.floor(node.path("cpus").asDouble() / JobsOfRound.ARRAY_CPUS);
    }
    return (int) cores;
  }

  /** The effects of the troubles that may be visible in results. */
  Struck struck() {
    return new Struck(Set.copyOf(killedTasks), List.copyOf(hitKeepers), Map.copyOf(away));
  }

  /** Troubles whose target was missing. */
  List<String> notDone() {
    return List.copyOf(notDone);
  }

  /** Does the troubles of a round at their times; returns when all are undone. */
  void suffer(List<Trouble> troubles) throws Exception {
    killedTasks.clear();
    hitKeepers.clear();
    away.clear();
    notDone.clear();
    Timeline timeline = new Timeline();
    for (Trouble trouble : troubles) {
      timeline.at(trouble.atMillis(), () -> begin(trouble, timeline));
    }
    timeline.run();
  }

  private void begin(Trouble trouble, Timeline timeline) throws Exception {
    if (trouble.kind().isCut()) {
      cut(trouble, timeline);
      return;
    }
    Optional<Member> victim = victim(trouble, timeline.millis() + VICTIM_MILLIS, timeline);
    if (victim.isEmpty()) {
      notDone.add("nobody for " + trouble);
      return;
    }
    long now = System.currentTimeMillis();
    Optional<Member> agent =
        trouble.target() == Trouble.Target.NODE ? agentBeside(victim.get()) : Optional.empty();
    agent.ifPresent(one -> one.signal("KILL"));
    note(trouble, victim.get(), now); // a dead process does not say any more whose it was
    victim.get().signal(SIGNALS.get(trouble.kind()));
    timeline.in(
        trouble.forMillis(),
        () -> {
          agent.ifPresent(
              this::awaitEnd); // one that still ends would be taken for one that is there
          undo(trouble, victim.get());
          hearOf(now);
        });
  }

  private void awaitEnd(Member member) {
    service.await("end of " + member, CALM, () -> !isLiving(member));
  }

  private void cut(Trouble trouble, Timeline timeline) throws IOException {
    if (network.isEmpty()) {
      notDone.add("left out, for there is no network to cut: " + trouble);
      return;
    }
    long now = System.currentTimeMillis();
    network
        .get()
        .cut(
            trouble.kind() == Trouble.Kind.CUT
                ? CuttableNetwork.Cut.SILENT
                : CuttableNetwork.Cut.UNPLUGGED);
    timeline.in(
        trouble.forMillis(),
        () -> {
          network.get().join();
          heard(FAR);
          hearOf(now);
        });
  }

  /** Has what keepers went through before count until now: reports of it may come only now. */
  private void hearOf(long awaySince) {
    long heard = System.currentTimeMillis();
    hitKeepers.replaceAll(hit -> hit.heardAfter(awaySince, heard));
  }

  /** Notes when each node hears what it is told again: once it has joined a server that is back. */
  private void hearAgain(Trouble trouble) {
    if (trouble.target() == Trouble.Target.TASK) {
      return;
    }
    Thread thread =
        new Thread(
            () -> {
              Set<String> joined = new HashSet<>();
              long until = System.nanoTime() + CALM.toNanos();
              while (joined.size() < NODES && System.nanoTime() - until < 0) {
                try {
                  for (JsonNode node : service.client().get("/nodes").path("nodes")) {
                    String name = node.path("name").asText();
                    if (node.path("version").isTextual() && joined.add(name)) {
                      heard(name);
                    }
                  }
                } catch (IOException notYet) {
                  // it is not back, or is gone again
                }
                LockSupport.parkNanos(LOOK_NANOS);
              }
            },
            "hears-again");
    thread.setDaemon(true);
    thread.start();
  }

  /** Notes that a node hears what it is told again. */
  private void heard(String node) {
    away.put(node, System.currentTimeMillis());
  }

  private Optional<Member> agentBeside(Member keeper) {
    return service.members().stream()
        .filter(member -> member.role() == Role.AGENT && nodeOf(member).equals(nodeOf(keeper)))
        .findFirst();
  }

  private void note(Trouble trouble, Member victim, long from) {
    if (trouble.target() == Trouble.Target.TASK && trouble.kind().isFatal()) {
      victim.variable("REMUDA_TASK").ifPresent(killedTasks::add);
    } else if (trouble.target() == Trouble.Target.KEEPER
        || trouble.target() == Trouble.Target.NODE) {
      boolean told = trouble.kind() == Trouble.Kind.TERM;
      long until = from + (trouble.kind() == Trouble.Kind.KILL ? 0 : trouble.forMillis());
      hitKeepers.add(new Struck.KeeperHit(nodeOf(victim), from, until, told));
    }
    if (isAgentHit(trouble) || trouble.target() == Trouble.Target.KEEPER) {
      away.merge(nodeOf(victim), from + trouble.forMillis(), Math::max);
    }
    done.merge(trouble.words(), 1, Integer::sum);
  }

  private void undo(Trouble trouble, Member victim) throws Exception {
    if (trouble.kind() == Trouble.Kind.PAUSE) {
      victim.signal("CONT");
      if (isAgentHit(trouble) || trouble.target() == Trouble.Target.KEEPER) {
        heard(nodeOf(victim));
      }
      hearAgain(trouble);
      return;
    }
    victim.signal("KILL"); // again, or now
    awaitEnd(victim);
    if (trouble.target() == Trouble.Target.COORDINATOR && !isThere(TroubledService::isServer)) {
      launchServer();
    } else if (isAgentHit(trouble)
        && trouble.side() == Trouble.Side.FAR
        && !isThere(member -> member.role() == Role.AGENT && nodeOf(member).equals(FAR))) {
      launchFar();
    }
    hearAgain(trouble);
  }

  private static boolean isAgentHit(Trouble trouble) {
    return trouble.target() == Trouble.Target.AGENT || trouble.target() == Trouble.Target.NODE;
  }

  private boolean isLiving(Member victim) {
    return isThere(member -> member.pid() == victim.pid());
  }

  private boolean isThere(Predicate<Member> kind) {
    return service.members().stream().anyMatch(kind);
  }

  /** What was done so far, and how often. */
  Map<String, Integer> done() {
    return Map.copyOf(done);
  }

  /** Waits until the deadline for a process that the trouble can hit. */
  private Optional<Member> victim(Trouble trouble, long deadline, Timeline timeline)
      throws InterruptedException {
    while (true) {
      Optional<Member> found =
          service.members().stream().filter(member -> isHit(member, trouble)).findFirst();
      if (found.isPresent() || timeline.millis() > deadline) {
        return found;
      }
      Thread.sleep(10);
    }
  }

  private static boolean isHit(Member member, Trouble trouble) {
    boolean far = trouble.side() == Trouble.Side.FAR;
    return switch (trouble.target()) {
      case COORDINATOR -> isServer(member);
      case AGENT -> member.role() == Role.AGENT && nodeOf(member).equals(FAR) == far;
      case KEEPER, NODE -> member.role() == Role.KEEPER && nodeOf(member).equals(FAR) == far;
      case TASK -> isTask(member.commandLine()) && isThere(member, far);
      case LINK -> false;
    };
  }

  private static boolean isTask(String command) {
    return command.startsWith(TaskLines.COMMAND) || command.startsWith(TaskLines.GANG_COMMAND);
  }

  /** Returns whether the task runs on that node; a dying process has no environment. */
  private static boolean isThere(Member task, boolean far) {
    return task.variable("REMUDA_NODE").filter(node -> node.equals(FAR) == far).isPresent();
  }

  private static boolean isServer(Member member) {
    return member.role() == Role.COORDINATOR && member.commandLine().contains(" serve");
  }

  private static String nodeOf(Member member) {
    return Path.of(member.folder()).getFileName().toString();
  }

  /** Ends the service in order; no process of it is left then. */
  void stop() throws IOException {
    ServiceUnderTest.Result result = service.cli("stop");
    if (result.code() != 0) {
      throw new AssertionError("stop: " + result);
    }
    service.await("end of all processes", CALM, () -> service.members().isEmpty());
    Path own = service.home().getParent();
    service.await("end of all of the tasks", CALM, () -> TaskLines.living(own).isEmpty());
  }

  /** What is known of it goes into a folder, for people. */
  void keep(Path folder, String text) throws IOException {
    service.members().forEach(member -> member.signal("CONT"));
    service.members().stream()
        .filter(member -> member.role() != Role.OTHER)
        .forEach(member -> member.signal("QUIT")); // each JVM prints its threads
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("what.txt"), text + "\n\n" + service.describe());
    Path own = service.home().getParent();
    try (Stream<Path> files = Files.walk(own, 5)) {
      for (Path file : files.filter(TroubledService::isTelling).toList()) {
        Files.copy(file, folder.resolve(own.relativize(file).toString().replace('/', '_')));
      }
    }
  }

  private static boolean isTelling(Path file) {
    return Files.isRegularFile(file)
        && file.getFileName().toString().matches(".*\\.(log|out)|state\\.db.*|\\d+\\.\\d+");
  }

  @Override
  public void close() {
    service.close();
    try {
      for (long pid : TaskLines.living(service.home().getParent())) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
