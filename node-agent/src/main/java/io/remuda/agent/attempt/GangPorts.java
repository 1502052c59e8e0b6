package io.remuda.agent.attempt;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The TCP ports of the gang members on this node. A port is taken only if nothing listens on it and
 * no other agent of this machine has given it to a member. Agents see each other's ports by a UDP
 * socket of the same number on the loopback interface, which the kernel closes with its agent: the
 * program can bind the TCP port, and a second agent cannot bind the UDP port. One thread.
 */
public final class GangPorts {

  private final Map<AttemptId, List<DatagramSocket>> held = new HashMap<>();

  /**
   * Takes the ports of a member, until {@link #release}.
   *
   * @return why one of them cannot be had; empty if all can, also for a task without a gang
   */
  public Optional<String> take(TaskStartOrder order) {
    GangStart start = order.job().start();
    if (start == null || held.containsKey(order.attempt())) {
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
      try (ServerSocket listener = new ServerSocket()) {
        listener.bind(new InetSocketAddress(port));
        marks.add(
            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
      } catch (IOException taken) {
        release(order.attempt());
        return Optional.of("port " + port + " is in use: " + taken.getMessage());
      }
    }
    return Optional.empty();
  }

  /** Frees the ports of a member that has ended or does not start. */
  public void release(AttemptId attempt) {
    List<DatagramSocket> marks = held.remove(attempt);
    if (marks != null) {
      marks.forEach(DatagramSocket::close);
    }
  }
}
