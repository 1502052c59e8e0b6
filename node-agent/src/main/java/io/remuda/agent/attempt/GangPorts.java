package io.remuda.agent.attempt;

import com.typesafe.config.Config;
import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The TCP ports of the gang members on this node, which the coordinator chooses, and of the tasks
 * with GPUs that are no members, which are chosen here: the launchers of trainings would all take
 * the same one. A port is taken only if nothing listens on it and no other agent of this machine
 * has given it to a member. Agents see each other's ports by a UDP socket of the same number on the
 * loopback interface, which the kernel closes with its agent: the program can bind the TCP port,
 * and a second agent cannot bind the UDP port. One thread, but for {@link #variables}.
 */
public final class GangPorts {

  /** The file in an attempt's folder with the port of a single task, for a later agent. */
  private static final String NOTE = "port";

  /** So many ports in a row that are in use mean that there is none. */
  private static final int MOST_TRIES = 200;

  private final NodeAddressAndPorts range;
  private final SingleTasks singles;
  private final Map<AttemptId, List<DatagramSocket>> held = new HashMap<>();
  private final Map<AttemptId, Integer> single = new ConcurrentHashMap<>();
  private int tried;

  /** Whether tasks that are no members of gangs get a port. */
  public enum SingleTasks {
    /** Those that have GPUs. */
    WITH_GPUS,
    NONE;

    /** Reads {@code port-variables} under {@code remuda.agent}. */
    public static SingleTasks from(Config agent) {
      return agent.getBoolean("port-variables") ? WITH_GPUS : NONE;
    }
  }

  /**
   * @param range the ports that single tasks get
   */
  public GangPorts(NodeAddressAndPorts range, SingleTasks singles) {
    this.range = range;
    this.singles = singles;
  }

  /**
   * Takes the ports of a member, or that of a single task with GPUs, until {@link #release}.
   *
   * @return why one of them cannot be had; empty if all can, also for a task that needs none
   */
  public Optional<String> take(TaskStartOrder order) {
    GangStart start = order.job().start();
    if (held.containsKey(order.attempt())) {
      return Optional.empty();
    }
    if (start == null) {
      if (singles == SingleTasks.WITH_GPUS && TaskPortVariables.areWanted(order)) {
        takeAny(order.attempt());
      }
      return Optional.empty();
    }
    int rank = order.attempt().task().index();
    Set<Integer> ports = new LinkedHashSet<>();
    ports.add(start.members().get(rank).port());
    if (rank == 0) {
      ports.add(start.masterPort());
    }
    List<DatagramSocket> marks = new ArrayList<>();
    held.put(order.attempt(), marks);
    for (int port : ports) {
      try {
        marks.add(marked(port));
      } catch (IOException taken) {
        release(order.attempt());
        return Optional.of("port " + port + " is in use: " + taken.getMessage());
      }
    }
    return Optional.empty();
  }

  /** Takes a free port; the task goes without if there is none. */
  private void takeAny(AttemptId attempt) {
    int most = Math.min(MOST_TRIES, range.ports());
    for (int tries = 0; tries < most; tries++) {
      int port = range.lastPort() - Math.floorMod(tried++, range.ports());
      try {
        held.put(attempt, List.of(marked(port)));
        single.put(attempt, port);
        return;
      } catch (IOException taken) {
        continue;
      }
    }
  }

  /**
   * Notes the port of a single task in its folder, if it has one.
   *
   * @throws IOException if the note cannot be written
   */
  public void note(AttemptId attempt, Path folder) throws IOException {
    Integer port = single.get(attempt);
    if (port != null) {
      Files.writeString(folder.resolve(NOTE), port + "\n");
    }
  }

  /**
   * Takes again the port that an agent before this one gave to a single task, which still runs and
   * may listen on it now or later.
   */
  public void adopt(AttemptId attempt, Path folder) {
    if (held.containsKey(attempt)) {
      return;
    }
    try {
      int port = Integer.parseInt(Files.readString(folder.resolve(NOTE)).strip());
      held.put(attempt, List.of(mark(port)));
      single.put(attempt, port);
    } catch (IOException | IllegalArgumentException none) {
      return; // it has no port, or another agent has marked it meanwhile
    }
  }

  private static DatagramSocket marked(int port) throws IOException {
    try (ServerSocket listener = new ServerSocket()) {
      listener.bind(new InetSocketAddress(port));
      return mark(port);
    }
  }

  private static DatagramSocket mark(int port) throws IOException {
    return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Returns the variables of a single task that has a port. Any thread. */
  public Map<String, String> variables(AttemptId attempt) {
    Integer port = single.get(attempt);
    return port == null ? Map.of() : TaskPortVariables.of(port);
  }

  /** Frees the ports of a member that has ended or does not start. */
  public void release(AttemptId attempt) {
    List<DatagramSocket> marks = held.remove(attempt);
    single.remove(attempt);
    if (marks != null) {
      marks.forEach(DatagramSocket::close);
    }
  }
}
