package io.remuda.coordinator.cli.stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends the stdin of this command to the first task of a job, as the task reads it, and again to
 * another attempt of the task. Nothing is read before the task has started. One thread of its own.
 */
public final class InputSender implements AutoCloseable {

  /** Between two requests by which the node learns that this command still runs. */
  private static final long ALIVE_MILLIS = 5000;

  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  /** No server, too many requests a second, a node away, a task that has not started. */
  private static final Set<Integer> LATER = Set.of(RestFailureException.NO_SERVER, 429, 502, 503);

  private final Supplier<RestClient> server;
  private final String path;
  private final String cancelPath;
  private final InputSource source;
  private final PrintWriter err;
  private final Thread thread = DaemonThread.of("send-stdin", this::run);

  private int attempt;
  private long sent;
  private boolean done;

  private InputSender(
      Supplier<RestClient> server, String job, InputSource source, PrintWriter err) {
    this.server = server;
    this.path = "/jobs/" + job + "/channel";
    this.cancelPath = "/jobs/" + job + "/cancel";
    this.source = source;
    this.err = err;
  }

  /**
   * Begins to send.
   *
   * @param server as it was found last
   * @param caller whose stdin is sent
   */
  public static InputSender start(
      Supplier<RestClient> server, String job, Caller caller, PrintWriter err) throws IOException {
    Optional<FileChannel> file = caller.inputFile();
    InputSource source = file.isPresent() ? new FileInput(file.get()) : new PipeInput(caller.in());
    InputSender sender = new InputSender(server, job, source, err);
    sender.thread.start();
    return sender;
  }

  /**
   * The job is over: leaves a file that is stdin behind what the job has read of it. The thread is
   * not interrupted, which would close the file.
   */
  public void finish() {
    if (!(source instanceof FileInput)) {
      return;
    }
    try {
      JsonNode answer = server.get().post(path, Map.of());
      source.used(answer.path("used").asLong());
    } catch (IOException unknown) {
      // the position stays: the job was cancelled before it started, or its node is away
    }
  }

  /** Sends no more. A file is left alone: an interrupt would close it, and with it stdin. */
  @Override
  public void close() {
    if (!(source instanceof FileInput)) {
      thread.interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        step();
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    } catch (InputSource.NotKeptException lost) {
      cancel();
    } catch (RestFailureException refused) {
      // the job is over, or shows itself why its stdin has broken off
    } catch (IOException fault) {
      say("stdin cannot be read: " + fault.getMessage());
    }
  }

  private void step() throws IOException, InterruptedException {
    byte[] part = new byte[0];
    if (done) {
      Thread.sleep(ALIVE_MILLIS);
    } else if (attempt > 0) {
      part = source.from(sent, ALIVE_MILLIS);
    }
    boolean end = part == null;
    JsonNode answer = ask(request(end ? new byte[0] : part, end));
    int now = answer.path("attempt").asInt();
    if (now != attempt) {
      attempt = now;
      sent = 0;
      done = false;
    } else {
      long last = sent + (end ? 0 : part.length);
      sent = Math.max(sent, Math.min(answer.path("taken").asLong(), last));
      done |= answer.path("ended").asBoolean() || (end && sent == last);
    }
  }

  private Map<String, Object> request(byte[] part, boolean end) {
    Map<String, Object> request = new LinkedHashMap<>();
    if (attempt > 0) {
      request.put("attempt", attempt);
    }
    if (part.length > 0 || end) {
      request.put("offset", sent);
      request.put("data", Base64.getEncoder().encodeToString(part));
      request.put("end", end);
    }
    return request;
  }

  /** Sends a request, and repeats it until the task has started and the server is there. */
  private JsonNode ask(Map<String, Object> request) throws IOException, InterruptedException {
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      try {
        return server.get().post(path, request);
      } catch (RestFailureException no) {
        if (!LATER.contains(no.status())) {
          throw no;
        }
      } catch (IOException broken) {
        // the connection broke; the bytes have numbers, so they may be sent again
      }
      Thread.sleep(pause);
    }
  }

  private void cancel() {
    say(
        "the task runs again, and more than 1 MiB of its stdin was read, which is not kept: the job"
            + " is cancelled; give a file as stdin (< FILE), which can be read again");
    try {
      server.get().post(cancelPath, null);
    } catch (IOException gone) {
      say("the job cannot be cancelled: " + gone.getMessage());
    }
  }

  private void say(String text) {
    err.println("remuda: " + text);
    err.flush();
  }

  /**
   * Stdin from a file. The position in it is shared with the shell: it stays where it is, and moves
   * in the end behind what the job has read, as if the job had read the file itself.
   */
  private static final class FileInput implements InputSource {

    private final FileChannel file;
    private final long start;

    FileInput(FileChannel file) throws IOException {
      this.file = file;
      this.start = file.position();
    }

    @Override
    public byte[] from(long offset, long millis) throws IOException {
      ByteBuffer part = ByteBuffer.allocate(PART);
      int count = file.read(part, start + offset);
      return count < 0 ? null : Arrays.copyOf(part.array(), count);
    }

    @Override
    public void used(long bytes) throws IOException {
      file.position(start + bytes);
    }
  }
}
