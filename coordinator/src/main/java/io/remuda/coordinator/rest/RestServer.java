package io.remuda.coordinator.rest;

import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.settings.RestSettings;
import io.remuda.coordinator.store.StoreReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.IncomingConnection;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.ServerBuilder;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;

/** Serves the HTTP interface, to so many connections and requests as its limits allow. */
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
      RestSettings settings,
      ActorRef<Coordinator.Command> coordinator,
      StoreReader reader,
      Tokens tokens,
      Supplier<Optional<String>> trouble,
      Consumer<Boolean> stop)
      throws IOException {
    Routes routes =
        new Routes(
            new Backend(system, coordinator, reader),
            tokens,
            new RequestRate(settings.requestsPerSecond(), System::nanoTime),
            new RequestRate(settings.refusalsPerSecond(), System::nanoTime),
            trouble,
            stop::accept,
            new Submissions(settings.autoGpuMem()),
            openApi());
    ServerBuilder builder =
        Http.get(system).newServerAt(address.getAddress().getHostAddress(), address.getPort());
    if (tls.isPresent()) {
      builder = builder.enableHttps(ConnectionContext.httpsServer(tls.get()::get));
    }
    Connections connections = new Connections(settings.connections());
    Function<HttpRequest, CompletionStage<HttpResponse>> handler = routes.all().handler(system);
    return builder
        .connectionSource()
        .to(Sink.foreach(connection -> serve(connection, connections, handler, system)))
        .run(system);
  }

  private static void serve(
      IncomingConnection connection,
      Connections connections,
      Function<HttpRequest, CompletionStage<HttpResponse>> handler,
      ActorSystem<?> system) {
    SharedKillSwitch end = KillSwitches.shared("connection");
    Connections.Connection open = connections.opened(end::shutdown);
    connection.handleWith(
        Flow.of(HttpRequest.class)
            .via(end.flow())
            .mapAsync(1, request -> answer(request, open, handler))
            .watchTermination(
                (nothing, ended) ->
                    ended.whenCompleteAsync(
                        (done, fault) -> open.over(), system.executionContext())),
        Materializer.matFromSystem(system));
  }

  /**
   * Fails, and the connection with it, for a request of one that has just lost its place. The
   * handler's stage is one of Scala, whose plain thenApply would be a thread for each request.
   */
  private static CompletionStage<HttpResponse> answer(
      HttpRequest request,
      Connections.Connection open,
      Function<HttpRequest, CompletionStage<HttpResponse>> handler)
      throws Exception {
    if (!open.asks()) {
      return CompletableFuture.failedFuture(new IOException("closed for another connection"));
    }
    return handler
        .apply(request)
        .thenApplyAsync(
            response -> {
              boolean whole = response.entity().isStrict();
              open.answered(whole ? Connections.Answer.WHOLE : Connections.Answer.STREAM);
              return response;
            },
            Runnable::run);
  }

  private static byte[] openApi() throws IOException {
    try (InputStream file = RestServer.class.getResourceAsStream("/openapi.json")) {
      return file == null ? new byte[0] : file.readAllBytes();
    }
  }
}
