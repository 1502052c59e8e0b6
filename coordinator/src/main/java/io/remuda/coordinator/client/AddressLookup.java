package io.remuda.coordinator.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks names of servers up, for no longer than there is time: the resolver knows no end. */
final class AddressLookup {

  private AddressLookup() {}

  /** Returns the address of a name or number. */
  static InetSocketAddress of(String host, int port, int millis) throws IOException {
    if (host.matches("[0-9.]+|.*:.*")) { // a number, which is not looked up
      return new InetSocketAddress(host, port);
    }
    CompletableFuture<InetAddress> found = new CompletableFuture<>();
    Thread thread = new Thread(() -> look(host, found), "address-lookup");
    thread.setDaemon(true);
    thread.start();
    try {
      return new InetSocketAddress(found.get(millis, TimeUnit.MILLISECONDS), port);
    } catch (ExecutionException unknown) {
      throw new IOException("there is no host " + host, unknown.getCause());
    } catch (TimeoutException late) {
      throw new SocketTimeoutException("the address of " + host + " was not found in time");
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stop);
    }
  }

  private static void look(String host, CompletableFuture<InetAddress> found) {
    try {
      found.complete(InetAddress.getByName(host));
    } catch (IOException | RuntimeException unknown) {
      found.completeExceptionally(unknown);
    }
  }
}
