package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Member.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Several coordinators on one database, as processes of this machine, each with its own folder. */
public final class ClusterProcesses implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(180);
  private static final int PORTS = 3;

  /**
   * Where a member runs, and how.
   *
   * @param address {@code HOST:PORT} of its HTTP interface
   * @param before words of a command that runs it there
   * @param options of its server besides
   */
  public record Place(String address, List<String> before, List<String> options) {

    /** A place on this machine, without an agent. */
    public static Place here() throws IOException {
      return new Place("127.0.0.1:" + freePorts(), List.of(), List.of("--no-agent"));
    }
  }

  private final Path file;
  private final Map<String, Place> places;
  private final Map<String, ServiceProcess> members = new LinkedHashMap<>();

  /**
   * Writes the files of a cluster; nothing is started yet.
   *
   * @param store address of the database
   */
  public ClusterProcesses(Installation installation, Path folder, String store, String... names)
      throws IOException {
    this(installation, folder, store, here(names));
  }

  /** Writes the files of a cluster with a member at each place; nothing is started yet. */
  public ClusterProcesses(
      Installation installation, Path folder, String store, Map<String, Place> places)
      throws IOException {
    this.file = folder.resolve("cluster.yaml");
    this.places = new LinkedHashMap<>(places);
    List<String> init = new ArrayList<>(List.of("cluster", "init", "--store", store));
    init.addAll(List.of("--file", file.toString()));
    places.forEach(
        (name, place) -> {
          Path home = folder.resolve(name).resolve("home");
          members.put(name, new ServiceProcess(installation, home, Map.of()));
          init.add(name + "=" + place.address());
        });
    ServiceUnderTest.Result written =
        members.values().iterator().next().call(init.toArray(String[]::new));
    if (written.code() != 0) {
      throw new IOException(written.err());
    }
  }

  private static Map<String, Place> here(String... names) throws IOException {
    Map<String, Place> places = new LinkedHashMap<>();
    for (String name : names) {
      places.put(name, Place.here());
    }
    return places;
  }

  /** Returns the first of three free ports in a row, below those that the kernel gives. */
  private static int freePorts() throws IOException {
    while (true) {
      int first = ThreadLocalRandom.current().nextInt(10_000, 30_000);
      boolean free = true;
      for (int port = first; port < first + PORTS; port++) {
        free &= isFree(port);
      }
      if (free) {
        return first;
      }
    }
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (java.net.BindException taken) {
      return false;
    }
  }

  public ServiceProcess member(String name) {
    return members.get(name);
  }

  public Path file() {
    return file;
  }

  public List<String> names() {
    return List.copyOf(members.keySet());
  }

  /** Starts a member and does not wait for it. */
  public void launch(String name) throws IOException {
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--cluster", file.toString(), "--member", name));
    options.addAll(places.get(name).options());
    member(name).launchBehind(places.get(name).before(), options.toArray(String[]::new));
  }

  /** Starts all members and waits until each of them knows the leader. */
  public ClusterProcesses start() throws IOException {
    for (String name : members.keySet()) {
      launch(name);
    }
    members.keySet().forEach(this::awaitReady);
    return this;
  }

  /** Waits until a member is up and knows the leader. */
  public void awaitReady(String name) {
    awaitReady(name, START);
  }

  /** Waits with another limit until a member is up and knows the leader. */
  public void awaitReady(String name, Duration limit) {
    member(name)
        .await(
            "member " + name + " ready",
            limit,
            () -> {
              JsonNode cluster = member(name).client().get("/cluster");
              return cluster.path("member").asText().equals(name)
                  && !cluster.path("leader").isNull()
                  && stateOf(cluster, name).equals("up");
            });
  }

  private static String stateOf(JsonNode cluster, String name) {
    for (JsonNode one : cluster.path("members")) {
      if (one.path("name").asText().equals(name)) {
        return one.path("state").asText();
      }
    }
    return "";
  }

  /** Returns the name of the leader, as a member knows it; empty for none. */
  public String leader(String asked) throws IOException {
    return member(asked).client().get("/cluster").path("leader").path("member").asText("");
  }

  /** Returns a member that does not lead. */
  public String follower(String leader) {
    return members.keySet().stream().filter(name -> !name.equals(leader)).findFirst().orElseThrow();
  }

  /** Waits until a member knows another leader than {@code before}; returns its name. */
  public String awaitOtherLeader(String asked, String before) {
    String[] found = new String[1];
    member(asked)
        .await(
            "another leader than " + before,
            START,
            () -> {
              found[0] = leader(asked);
              return !found[0].isEmpty() && !found[0].equals(before);
            });
    return found[0];
  }

  /** Returns whether a member has a server that lives. */
  public boolean isRunning(String name) {
    return server(name).isPresent();
  }

  private Optional<Member> server(String name) {
    return member(name).members().stream()
        .filter(one -> one.role() == Role.COORDINATOR && one.commandLine().contains(" serve"))
        .findFirst();
  }

  /** Has a member hand over; it must lead. */
  public void handOver(String name) throws IOException {
    ServerAccessFile access = member(name).client().access();
    new RestClient(access.at(access.rest())).post("/cluster/hand-over", null);
  }

  /** Sends a signal to the server of a member. */
  public void signal(String name, String signal) {
    member(name).member(Role.COORDINATOR).signal(signal);
  }

  @Override
  public void close() {
    members.values().forEach(ServiceProcess::close);
  }
}
