package io.remuda.coordinator.settings;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Tries an address before anything is started that is to listen there. */
public final class FreeAddress {

  private FreeAddress() {}

  /**
   * Fails if nobody can listen there.
   *
   * @param what is to listen there, or the option that says so
   * @param todo what the user can do about it
   * @throws IOException saying why, and that
   */
  public static void check(InetSocketAddress address, String what, String todo) throws IOException {
    if (address.isUnresolved()) {
      throw new IOException(what + ": no such host: " + address.getHostString());
    }
    try {
      bind(address);
    } catch (IOException taken) {
      throw new IOException(
          what
              + ": cannot listen on "
              + address.getAddress().getHostAddress()
              + ":"
              + address.getPort()
              + " ("
              + taken.getMessage()
              + "): "
              + todo,
          taken);
    }
  }

  /** Whether somebody could listen there now. */
  public static boolean isFree(InetSocketAddress address) {
    try {
      bind(address);
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private static void bind(InetSocketAddress address) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    }
  }
}
