package io.remuda.coordinator.rest;

import io.remuda.coordinator.cluster.ForwardedRequestResponder;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.MembershipPort;
import io.remuda.coordinator.cluster.RequestForwarder;
import io.remuda.coordinator.history.HistoryArchive;
import io.remuda.coordinator.live.LiveFeed;
import io.remuda.coordinator.metrics.HttpRequestCounts;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.rest.connection.BodyRoom;
import io.remuda.coordinator.rest.connection.ClientSockets;
import io.remuda.coordinator.rest.connection.ConnectionRequestHandler;
import io.remuda.coordinator.rest.connection.OpenConnections;
import io.remuda.coordinator.rest.connection.RequestRateLimiter;
import io.remuda.coordinator.rest.connection.UnreadAnswers;
import io.remuda.coordinator.rest.output.OutputRoutes;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.rest.view.UnreachableNodeOutput;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.settings.MetricsSettings;
import io.remuda.coordinator.settings.RestSettings;
import io.remuda.coordinator.store.StoreReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.IncomingConnection;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.ServerBuilder;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.apache.pekko.io.Inet;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;

/** Serves the HTTP interface within its limits of connections and requests. Thread-safe. */
public final class RestServer {

  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Enough for streams of connections to end, once they were told. */
  private static final Duration CLOSING = Duration.ofMillis(100);

  private final ActorSystem<?> system;
  private final RestSettings settings;
  private final Routes routes;

  private RestServer(ActorSystem<?> system, RestSettings settings, Routes routes) {
    this.system = system;
    this.settings = settings;
    this.routes = routes;
  }

  /**
   * What a server answers from.
   *
   * @param leader where the coordinator is
   * @param forwarder brings requests to a coordinator that is elsewhere
   * @param store name of the database that {@code reader} reads
   * @param membership the members of its cluster
   * @param outputHere the output of nodes that do not answer
   * @param history readings over time
   * @param metrics what metrics name
   */
  public record Sources(
      KnownLeader leader,
      ActorRef<RequestForwarder.Command> forwarder,
      StoreReader reader,
      String store,
      UserTokenRegistry tokens,
      MembershipPort membership,
      UnreachableNodeOutput outputHere,
      HistoryArchive history,
      MetricsSettings metrics) {}

  /** What happens to a server. */
  public interface Owner {

    /** Returns why the state cannot be written at present, if so. */
    Optional<String> trouble();

    /** Returns how it decides whose turn it is. */
    SchedulingSettings scheduling();

    /** Returns the name of the node of this machine, if there is to be one. */
    Optional<String> ownNode();

    /** Returns why that node has not joined, if it is known. Reads files. */
    Optional<String> absence();

    /** The user who owns the server stops it. */
    void stop(ServerStopMode how);
  }

  /** Creates a server that does not listen yet. */
  public static RestServer of(
      ActorSystem<?> system, RestSettings settings, Sources sources, Owner owner)
      throws IOException {
    RestBackend backend =
        new RestBackend(
            system, sources.leader(), sources.forwarder(), sources.reader(), sources.outputHere());
    LiveSights sights = new LiveSights(backend, sources.leader(), Clock.systemUTC());
    LiveFeed live =
        new LiveFeed(
            sights::look,
            (delay, what) ->
                system.scheduler().scheduleOnce(delay, what, system.executionContext()),
            Clock.systemUTC());
    HttpRequestCounts requests = new HttpRequestCounts();
    UserTokenRegistry tokens = sources.tokens();
    MemberAndForwardingRoutes members =
        new MemberAndForwardingRoutes(
            backend, sources.leader(), sources.membership(), sources.store());
    RouteHandlers handlers = new RouteHandlers();
    members.add(handlers);
    new NodeAndServerRoutes(backend, owner, members).add(handlers);
    new JobRoutes(backend, new SubmissionReader(settings.autoGpuMem())).add(handlers);
    new OutputRoutes(backend).add(handlers);
    new HistoryRoutes(backend, sources.history(), Clock.systemUTC()).add(handlers);
    new UsageRoutes(backend, sources.history(), Clock.systemUTC()).add(handlers);
    new LiveRoutes(new LiveStreaming(backend, live)).add(handlers);
    new LeaseRoutes(backend).add(handlers);
    new JobTypeProfileRoutes(backend).add(handlers);
    new UserRoutes(backend, tokens).add(handlers);
    new MetricsRoutes(backend, sources.leader(), sources.membership(), sources.metrics(), requests)
        .add(handlers);
    byte[] openApi = openApi();
    handlers.onNow(
        ApiRoute.OPEN_API,
        request -> HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, openApi));
    return new RestServer(
        system,
        settings,
        new Routes(
            tokens,
            new RequestRateLimiter(settings.requestsPerSecond(), System::nanoTime),
            new RequestRateLimiter(settings.refusalsPerSecond(), System::nanoTime),
            owner::trouble,
            members,
            requests,
            handlers));
  }

  /** Returns what answers the requests that other members forward. */
  public ForwardedRequestResponder forwardedRequests() {
    return new ForwardedRequestHandler(routes, system);
  }

  /**
   * Starts to listen.
   *
   * @param tls makes the server's side of a connection; empty for plain HTTP
   * @return completes when the server listens, or fails
   */
  public CompletionStage<ServerBinding> listen(
      InetSocketAddress address, Optional<Supplier<SSLEngine>> tls) {
    ClientSockets sockets = new ClientSockets();
    ServerSettings defaults = ServerSettings.create(system.classicSystem());
    ServerBuilder builder =
        Http.get(system)
            .newServerAt(address.getAddress().getHostAddress(), address.getPort())
            .withSettings(defaults.withSocketOptions(with(defaults, sockets)));
    if (tls.isPresent()) {
      builder = builder.enableHttps(ConnectionContext.httpsServer(tls.get()::get));
    }
    OpenConnections connections =
        new OpenConnections(settings.connections(), settings.headDeadline(), System::nanoTime);
    system
        .scheduler()
        .scheduleAtFixedRate(LOOK, LOOK, connections::closeSilent, system.executionContext());
    closeAtEnd(system, connections);
    BodyRoom room = new BodyRoom(settings.bodies());
    UnreadAnswers unread = new UnreadAnswers(settings.answers());
    Function<HttpRequest, CompletionStage<HttpResponse>> handler = routes.all().handler(system);
    return builder
        .connectionSource()
        .to(
            Sink.foreach(
                connection -> {
                  ConnectionRequestHandler requests =
                      new ConnectionRequestHandler(handler, room, unread, settings);
                  serve(connection, connections, sockets, requests, system);
                }))
        .run(system);
  }

  /**
   * Has the connections closed before the system ends. Pekko leaves that to the end of its
   * selectors, which may come first: then the connections of a process that goes on, as one that
   * joins its cluster again does, stay open, and clients wait for answers in vain.
   */
  static void closeAtEnd(ActorSystem<?> system, OpenConnections connections) {
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "close-http",
            () -> {
              connections.abortAll();
              return Patterns.after(
                  CLOSING, system, () -> CompletableFuture.completedFuture(Done.getInstance()));
            });
  }

  private static List<Inet.SocketOption> with(ServerSettings defaults, Inet.SocketOption more) {
    List<Inet.SocketOption> all = new ArrayList<>();
    defaults.getSocketOptions().forEach(all::add);
    all.add(more);
    return all;
  }

  private static void serve(
      IncomingConnection connection,
      OpenConnections connections,
      ClientSockets sockets,
      ConnectionRequestHandler requests,
      ActorSystem<?> system) {
    SharedKillSwitch end = KillSwitches.shared("connection");
    InetSocketAddress client = connection.remoteAddress();
    OpenConnections.Connection open =
        connections.opened(
            new OpenConnections.Closing() {
              @Override
              public void close() {
                sockets.end(client);
                end.shutdown();
              }

              @Override
              public void abort() {
                sockets.abort(client); // an end with a fault would be answered by 500 first
                close();
              }
            });
    connection.handleWith(
        Flow.of(HttpRequest.class)
            .via(end.flow())
            .mapAsync(
                1,
                request -> {
                  sockets.asked(client);
                  return requests.answer(request, open);
                })
            .watchTermination(
                (nothing, ended) ->
                    ended.whenCompleteAsync(
                        (done, fault) -> {
                          sockets.forget(client);
                          open.over();
                          requests.closed();
                        },
                        system.executionContext())),
        Materializer.matFromSystem(system));
  }

  private static byte[] openApi() throws IOException {
    try (InputStream file = RestServer.class.getResourceAsStream("/openapi.json")) {
      return file == null ? new byte[0] : file.readAllBytes();
    }
  }
}
