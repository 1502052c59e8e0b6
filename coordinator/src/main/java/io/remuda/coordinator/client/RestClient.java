package io.remuda.coordinator.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.ServerConnection.Response;
import io.remuda.coordinator.route.RepeatableRequestRule;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends requests to a server, as the user of an access file. Connections are kept, and the access
 * file is read for each new one, because a restarted server may have another port. Thread-safe.
 */
public final class RestClient implements AutoCloseable {

  private static final int READ_MILLIS = 30_000;
  private static final int NOT_GOOD = 300; // redirects are not followed
  private static final int MOST_IDLE = 4;

  /** So often a request is sent again whose connection was lost. */
  private static final int MOST_LOSSES = 3;

  /** Faults of a connection that was not made, or on which nothing came. */
  private static final List<Class<? extends IOException>> UNREACHED =
      List.of(
          ConnectException.class,
          NoRouteToHostException.class,
          UnknownHostException.class,
          SocketTimeoutException.class,
          ServerConnection.NotThisServerException.class,
          SentException.class);

  private static final byte[] NOTHING = {};
  static final String PREFIX = "/api/v1";

  /** Mapper for requests and responses. */
  public static final ObjectMapper JSON = PlainJson.MAPPER;

  /** Returns the current address of a server, and what it must show. */
  public interface ServerLocator {
    ServerAccessFile access() throws IOException;
  }

  private final AtomicReference<ServerAccessFile> first;
  private final boolean insecure;
  private final ServerLocator place;
  private final ConcurrentLinkedDeque<ServerConnection> idle;
  private final RequestEnd end;

  /**
   * @param first access for the first connection; null to ask {@code place} for it, too
   */
  private RestClient(ServerAccessFile first, boolean insecure, ServerLocator place) {
    this(
        new AtomicReference<>(first),
        insecure,
        place,
        new ConcurrentLinkedDeque<>(),
        RequestEnd.NONE);
  }

  private RestClient(
      AtomicReference<ServerAccessFile> first,
      boolean insecure,
      ServerLocator place,
      ConcurrentLinkedDeque<ServerConnection> idle,
      RequestEnd end) {
    this.first = first;
    this.insecure = insecure;
    this.place = place;
    this.idle = idle;
    this.end = end;
  }

  /** Creates a client of a server with a fixed address. */
  public RestClient(ServerAccessFile access) {
    this(access, access.mayBeInsecure(), () -> access);
  }

  /** Returns a client of a server with TLS, whose key may change. */
  public static RestClient to(ServerLocator place) {
    return new RestClient(null, false, place);
  }

  /**
   * Returns a client of the server of a state folder.
   *
   * @throws RestFailureException if none was ever started there
   */
  public static RestClient of(Path home) throws IOException {
    ServerAccessFile access = read(home);
    return new RestClient(access, access.mayBeInsecure(), () -> read(home));
  }

  /** Returns a client with the same connections, of which no request lasts beyond this end. */
  public RestClient until(RequestEnd last) {
    return new RestClient(first, insecure, place, idle, last);
  }

  private static ServerAccessFile read(Path home) throws IOException {
    FolderOwnershipCheck.requirePrivate(home, "REMUDA_HOME");
    Optional<ServerAccessFile> access = ServerAccessFile.read(home.resolve(ServerAccessFile.FILE));
    if (access.isEmpty() || access.get().rest() == null) {
      throw new RestFailureException(
          RestFailureException.NO_SERVER,
          "no server has been started in " + home + ": start one with remuda serve");
    }
    return access.get();
  }

  /** Returns the current user, token and address. */
  public ServerAccessFile access() throws IOException {
    return place.access();
  }

  /** Returns whether tokens are sent in clear text, by choice of the server's owner. */
  public boolean isInsecure() {
    return insecure;
  }

  public JsonNode get(String path) throws IOException {
    return json(exchange("GET", path, null));
  }

  /** Sends {@code body}, or nothing if it is null. */
  public JsonNode post(String path, Object body) throws IOException {
    return json(exchange("POST", path, body == null ? new byte[0] : JSON.writeValueAsBytes(body)));
  }

  /** Returns the body of a response as a stream, which the caller must close. */
  public InputStream stream(String path) throws IOException {
    return exchange("GET", path, null).body();
  }

  /**
   * Sends a request and returns the answer as it is, for {@code remuda ui}.
   *
   * @param body null for none
   * @throws RestFailureException if no server answers
   */
  public RelayedAnswer relay(String method, String path, byte[] body) throws IOException {
    Response answer = ask(method, PREFIX + path, body);
    return new RelayedAnswer(answer.status(), answer.headers(), answer.body());
  }

  /**
   * A part of a task's output.
   *
   * @param offset offset of the first byte
   * @param size size of the whole output
   * @param dropped number of requested bytes before the first that no longer exist
   * @param shared whether all tasks of the job write to one file, of which this is a part
   * @param place where the output lies, for {@link LocalOutputFile}; null if it was not told
   */
  public record OutputChunk(
      byte[] bytes, long offset, long size, long dropped, boolean shared, String place) {}

  /** Returns a part of a task's output. */
  public OutputChunk bytes(String path) throws IOException {
    Response answer = exchange("GET", path, null);
    try (InputStream in = answer.body()) {
      return new OutputChunk(
          in.readAllBytes(),
          number(answer, "remuda-offset"),
          number(answer, "remuda-size"),
          number(answer, "remuda-dropped"),
          number(answer, "remuda-shared") > 0,
          answer.headers().get("remuda-place"));
    }
  }

  private static long number(Response answer, String header) {
    return Long.parseLong(answer.headers().getOrDefault(header, "0"));
  }

  /** Encodes a value for a query. */
  public static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** Returns the response; throws if its status is not a success. */
  private Response exchange(String method, String path, byte[] body) throws IOException {
    Response answer = ask(method, PREFIX + path, body);
    if (answer.status() >= NOT_GOOD) {
      throw new RestFailureException(answer.status(), message(answer));
    }
    return answer;
  }

  /**
   * Sends a request on a kept connection, or on a new one if the server has closed the kept ones. A
   * request that may not be done twice gets a connection of its own, which the server has not
   * closed, and is sent once.
   */
  private Response ask(String method, String path, byte[] body) throws IOException {
    ServerConnection kept = kept();
    if (kept != null && !isRepeatable(method, path, body)) {
      keep(kept);
      kept = null;
    }
    for (; kept != null; kept = kept()) {
      try {
        return ask(kept, method, path, body, end);
      } catch (SocketTimeoutException slow) {
        throw none(slow, place.access(), false);
      } catch (IOException closed) {
        continue;
      }
    }
    ServerAccessFile read = first.getAndSet(null);
    return askAny(read == null ? place.access() : read, method, path, body);
  }

  private static boolean isRepeatable(String method, String path, byte[] body) {
    return RepeatableRequestRule.is(
        method, path.substring(PREFIX.length()), body == null ? NOTHING : body);
  }

  /**
   * Sends a request to a coordinator. If the connection is lost, it is sent again unless it may
   * have been carried out and may not be done twice: behind an address that a proxy has, another
   * coordinator may answer then.
   */
  private Response askAny(ServerAccessFile access, String method, String path, byte[] body)
      throws IOException {
    for (int losses = 0; ; losses++) {
      try {
        return askFirst(losses == 0 ? access : place.access(), method, path, body);
      } catch (RestFailureException none) {
        if (!isLost(none.getCause()) || losses == MOST_LOSSES) {
          throw none;
        }
      }
    }
  }

  /** Sends a request to the first coordinator that answers; a cluster has several. */
  private Response askFirst(ServerAccessFile access, String method, String path, byte[] body)
      throws IOException {
    RestFailureException none = null;
    int left = access.all().size();
    for (ServerAccessFile one : access.all()) {
      boolean connected = false;
      try {
        RequestEnd part = end.part(left--);
        ServerConnection connection = ServerConnection.open(one, part);
        connected = true;
        return ask(connection, method, path, body, end);
      } catch (RestFailureException refused) {
        throw refused;
      } catch (IOException fault) {
        if (connected && !isRepeatable(method, path, body)) {
          throw unknown(fault, one);
        }
        RestFailureException failure = none(fault, one, access.others() != null);
        if (none != null) {
          failure.addSuppressed(none);
        }
        none = failure;
      }
    }
    throw none;
  }

  /**
   * Returns whether a request failed because its connection was lost, and not because nothing, or
   * another program, listens there, or nothing was answered in time.
   */
  private boolean isLost(Throwable cause) {
    return !end.isOver()
        && cause instanceof IOException
        && UNREACHED.stream().noneMatch(kind -> kind.isInstance(cause));
  }

  /** A server has got the request, and whether it was carried out is not known. */
  private static final class SentException extends IOException {
    private static final long serialVersionUID = 1;

    private SentException(IOException fault) {
      super(fault.getMessage(), fault);
    }
  }

  private static RestFailureException unknown(IOException fault, ServerAccessFile access) {
    return new RestFailureException(
        RestFailureException.NO_SERVER,
        "the server at "
            + access.rest()
            + " got the request and did not answer ("
            + fault.getMessage()
            + "): look whether it was done before you send it again",
        new SentException(fault));
  }

  private Response ask(
      ServerConnection connection, String method, String path, byte[] body, RequestEnd last)
      throws IOException {
    try {
      return connection.ask(method, path, body, READ_MILLIS, last, this::keep);
    } catch (IOException fault) {
      connection.close();
      throw fault;
    }
  }

  private ServerConnection kept() {
    ServerConnection kept = idle.pollLast();
    if (kept == null || kept.isFresh()) {
      return kept;
    }
    kept.close();
    return kept();
  }

  /** Closes the connections that are kept; a request after that opens another. */
  @Override
  public void close() {
    for (ServerConnection kept = idle.pollLast(); kept != null; kept = idle.pollLast()) {
      kept.close();
    }
  }

  private void keep(ServerConnection connection) {
    if (idle.size() < MOST_IDLE) {
      idle.add(connection);
    } else {
      connection.close();
    }
  }

  /**
   * @param cluster whether it is one of several coordinators, whose key may have been renewed
   */
  private static RestFailureException none(
      IOException fault, ServerAccessFile access, boolean cluster) {
    if (fault instanceof ServerConnection.SilentServerException) {
      return new RestFailureException(
          RestFailureException.NO_SERVER,
          "the server at "
              + access.rest()
              + " does not answer ("
              + fault.getMessage()
              + "), but something accepts connections there: it stands still or has too much to do;"
              + " try again, or look at its process (a stopped one goes on after kill -CONT)",
          fault);
    }
    String message =
        fault instanceof ServerConnection.NotThisServerException
            ? "what listens at "
                + access.rest()
                + " is not this server, and was told nothing ("
                + fault.getMessage()
                + "): start the server with remuda serve"
                + (cluster
                    ? ", or, if the key of the cluster was renewed, get a new access file (remuda"
                        + " user renew)"
                    : "")
            : "no server answers at "
                + access.rest()
                + " ("
                + fault.getMessage()
                + "): start it with remuda serve";
    return new RestFailureException(RestFailureException.NO_SERVER, message, fault);
  }

  private static JsonNode json(Response answer) throws IOException {
    try (InputStream in = answer.body()) {
      return JSON.readTree(in.readAllBytes());
    }
  }

  private static String message(Response answer) {
    try (InputStream in = answer.body()) {
      JsonNode error = JSON.readTree(in.readAllBytes()).path("error");
      String message = error.path("message").asText("status " + answer.status());
      String todo = error.path("todo").asText("");
      return todo.isEmpty() || todo.equals("null") ? message : message + " (" + todo + ")";
    } catch (IOException notJson) {
      return "the server answers with status " + answer.status();
    }
  }
}
