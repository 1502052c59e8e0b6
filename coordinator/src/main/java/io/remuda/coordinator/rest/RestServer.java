package io.remuda.coordinator.rest;

import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.store.StoreReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.ServerBuilder;

/** Serves the HTTP interface. */
public final class RestServer {

  private RestServer() {}

  /**
   * Starts to listen.
   *
   * @param tls makes the server's side of a connection; nothing for plain HTTP
   * @param trouble why nothing can be made durable at present, or nothing
   * @param stop runs when somebody who may asks the server to end, with whether tasks are kept
   * @return completes when it listens, or fails
   */
  public static CompletionStage<ServerBinding> start(
      ActorSystem<?> system,
      InetSocketAddress address,
      Optional<Supplier<SSLEngine>> tls,
      ActorRef<Coordinator.Command> coordinator,
      StoreReader reader,
      Tokens tokens,
      Supplier<Optional<String>> trouble,
      Consumer<Boolean> stop)
      throws IOException {
    Routes routes =
        new Routes(
            new Backend(system, coordinator, reader), tokens, trouble, stop::accept, openApi());
    ServerBuilder builder =
        Http.get(system).newServerAt(address.getAddress().getHostAddress(), address.getPort());
    if (tls.isPresent()) {
      builder = builder.enableHttps(ConnectionContext.httpsServer(tls.get()::get));
    }
    return builder.bind(routes.all());
  }

  private static byte[] openApi() throws IOException {
    try (InputStream file = RestServer.class.getResourceAsStream("/openapi.json")) {
      return file == null ? new byte[0] : file.readAllBytes();
    }
  }
}
