package io.remuda.agent.attempt;

import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * The network interfaces of this node by address. Only the one host name that this agent was given
 * is ever looked up, once and on a thread of its own, since name servers may take minutes. Any
 * thread.
 */
public final class OwnInterfaces {

  private static final Pattern NUMBERS = Pattern.compile("\\d+(\\.\\d+){3}|.*:.*");

  private final String ownName;
  private final CompletableFuture<Optional<InetAddress>> resolved = new CompletableFuture<>();

  /** A way to resolve a host name; it may block. */
  interface Resolver {
    InetAddress resolve(String name) throws IOException;
  }

  /**
   * Begins to look up the agent's own address.
   *
   * @param ownAddress host name or address, or empty
   */
  public OwnInterfaces(String ownAddress) {
    this(ownAddress, InetAddress::getByName);
  }

  OwnInterfaces(String ownAddress, Resolver resolver) {
    this.ownName = ownAddress;
    if (ownAddress.isEmpty() || isNumeric(ownAddress)) {
      resolved.complete(Optional.empty());
      return;
    }
    DaemonThread.start("own-address", () -> resolved.complete(resolve(resolver)));
  }

  private Optional<InetAddress> resolve(Resolver resolver) {
    try {
      return Optional.of(resolver.resolve(ownName));
    } catch (IOException | RuntimeException unknown) {
      return Optional.empty(); // a name that only others know
    }
  }

  private static boolean isNumeric(String address) {
    return NUMBERS.matcher(address).matches();
  }

  /** Waits until the host name is resolved, at most for some time. */
  public void await(long millis) {
    try {
      resolved.get(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException late) {
      resolved.complete(Optional.empty()); // so that all members of this node are told the same
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Returns the variables by which Gloo and NCCL use the interface that has an address of this
   * node; none if it is unknown. By themselves they take that of the host's name, which is often
   * the loopback interface. Does not block.
   */
  Map<String, String> variables(String address) {
    Optional<InetAddress> known =
        address.equals(ownName) && !isNumeric(address)
            ? resolved.getNow(Optional.empty())
            : numeric(address);
    return known.flatMap(OwnInterfaces::interfaceOf).map(OwnInterfaces::named).orElse(Map.of());
  }

  private static Optional<InetAddress> numeric(String address) {
    try {
      return isNumeric(address) ? Optional.of(InetAddress.getByName(address)) : Optional.empty();
    } catch (IOException noAddress) {
      return Optional.empty();
    }
  }

  private static Optional<String> interfaceOf(InetAddress address) {
    try {
      return Optional.ofNullable(NetworkInterface.getByInetAddress(address))
          .map(NetworkInterface::getName);
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static Map<String, String> named(String name) {
    return Map.of("GLOO_SOCKET_IFNAME", name, "NCCL_SOCKET_IFNAME", "=" + name);
  }
}
