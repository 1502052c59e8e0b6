package io.remuda.agent.training;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.remuda.agent.attempt.SmallJsonFiles;
import io.remuda.agent.log.RepeatedWarnings;
import io.remuda.agent.settings.TrainingCallers;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the protocol of trainings on the loopback interface. Its port is kept in the agent's
 * folder, so that trainings find a restarted agent where they found the first.
 */
final class TrainingServer implements AutoCloseable {

  /** Maximum bytes of a body. */
  static final int MOST_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(TrainingServer.class);
  private static final String PORT = "training-port.json";

  /**
   * A request that has begun holds a thread until it is complete, so there are many more than
   * trainings; those that have had nothing to do for a while end.
   */
  private static final int MOST_THREADS = 256;

  private static final long IDLE_SECONDS = 5;

  /** A thread reads a head and a small body. */
  private static final long STACK_BYTES = 128 << 10;

  private static final int BACKLOG = 100;
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int WRONG_METHOD = 405;
  private static final int TOO_LARGE = 413;
  private static final int FAULT = 500;

  private static final Pattern TARGET =
      Pattern.compile(
          "/(has_to_stop|profiling|end_epoch)/"
              + "(\\p{XDigit}{8}-(?:\\p{XDigit}{4}-){3}\\p{XDigit}{12})");

  /** An answer to a request. */
  private record Answer(int status, String text) {}

  static {
    // Seconds for a request and its answer, so that a client that stops does not hold a thread.
    System.setProperty("sun.net.httpserver.maxReqTime", "3");
    System.setProperty("sun.net.httpserver.maxRspTime", "10");
  }

  private static final int HIGHEST_PORT = 65_535;

  private final HttpServer http;
  private final ExecutorService threads;
  private final TrainingCallers callers;
  private final Trainings trainings;
  private final RepeatedWarnings warnings = new RepeatedWarnings(System::nanoTime);

  private TrainingServer(
      HttpServer http, ExecutorService threads, TrainingCallers callers, Trainings trainings) {
    this.http = http;
    this.threads = threads;
    this.callers = callers;
    this.trainings = trainings;
  }

  /**
   * Starts the server at the port of the last time, or at another one if that is taken.
   *
   * @param home the agent's folder
   * @param callers whom it answers
   */
  static TrainingServer start(Path home, TrainingCallers callers, Trainings trainings)
      throws IOException {
    int before =
        SmallJsonFiles.read(home, PORT, Integer.class)
            .filter(noted -> noted > 0 && noted <= HIGHEST_PORT)
            .orElse(0);
    HttpServer http = bind(before);
    int port = http.getAddress().getPort();
    if (port != before) {
      SmallJsonFiles.write(home, PORT, port);
    }
    ExecutorService threads = threads();
    TrainingServer server = new TrainingServer(http, threads, callers, trainings);
    http.setExecutor(threads);
    http.createContext("/", server::serve);
    http.start();
    return server;
  }

  private static ExecutorService threads() {
    AtomicInteger count = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              String name = "training-server-" + count.incrementAndGet();
              Thread thread = new Thread(null, work, name, STACK_BYTES);
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static HttpServer bind(int port) throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    try {
      return HttpServer.create(new InetSocketAddress(loopback, port), BACKLOG);
    } catch (BindException taken) {
      LOG.warn("port {} is taken: running trainings do not find this agent", port);
      return HttpServer.create(new InetSocketAddress(loopback, 0), BACKLOG);
    }
  }

  /** Returns its address, as {@code host:port}. */
  String address() {
    return "127.0.0.1:" + http.getAddress().getPort();
  }

  private void serve(HttpExchange exchange) {
    try (exchange) {
      Answer answer;
      try {
        answer = answer(exchange);
      } catch (TrainingReport.MalformedException wrong) {
        answer = new Answer(BAD_REQUEST, wrong.getMessage() + "\n");
      } catch (InterruptedException closed) {
        answer = new Answer(FAULT, "this agent ends\n");
        Thread.currentThread().interrupt();
      } catch (IOException | RuntimeException fault) {
        warn("a request to the port of trainings failed: " + fault);
        answer = new Answer(FAULT, fault + "\n");
      }
      byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    } catch (IOException gone) {
      LOG.debug("a training did not take its answer", gone);
    }
  }

  /** Logs a warning, unless it was logged just before: whoever likes can cause any number. */
  private void warn(String warning) {
    warnings.next(warning).ifPresent(more -> LOG.warn("{}{}", warning, more));
  }

  private Answer answer(HttpExchange exchange)
      throws IOException, InterruptedException, TrainingReport.MalformedException {
    String refusal =
        callers == TrainingCallers.ANY
            ? null
            : ConnectionUserId.refusal(exchange.getRemoteAddress(), exchange.getLocalAddress());
    if (refusal != null) {
      warn("a request to the port of trainings is refused: " + refusal);
      return new Answer(FORBIDDEN, "only the user of this agent is answered\n");
    }
    Matcher target = TARGET.matcher(exchange.getRequestURI().getPath());
    if (!target.matches()) {
      return new Answer(NOT_FOUND, "no such path\n");
    }
    boolean question = target.group(1).equals("has_to_stop");
    if (!exchange.getRequestMethod().equals(question ? "GET" : "POST")) {
      exchange.getResponseHeaders().set("Allow", question ? "GET" : "POST");
      return new Answer(WRONG_METHOD, "the method is " + (question ? "GET" : "POST") + "\n");
    }
    UUID id = UUID.fromString(target.group(2));
    Optional<RunningTraining> training = trainings.find(id);
    if (training.isEmpty()) {
      return new Answer(NOT_FOUND, "no training with this id runs here\n");
    }
    if (question) {
      return new Answer(OK, trainings.hasToStop(training.get()) ? "1" : "0");
    }
    byte[] body = body(exchange.getRequestBody());
    if (body.length > MOST_BYTES) {
      return new Answer(TOO_LARGE, "a body has at most " + MOST_BYTES + " bytes\n");
    }
    if (target.group(1).equals("profiling")) {
      trainings.measured(training.get(), TrainingReport.Measurement.of(body, id));
    } else {
      trainings.ended(training.get(), TrainingReport.EpochEnd.of(body));
    }
    return new Answer(OK, "");
  }

  /** Returns at most one byte more than a body may have. */
  private static byte[] body(InputStream stream) throws IOException {
    return stream.readNBytes(MOST_BYTES + 1);
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
