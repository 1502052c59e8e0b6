package io.remuda.coordinator.cli.job;

import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.TaskId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Prints the output of a job's tasks line by line, each line behind the name of its task. What does
 * not end with a line break is printed by {@link #close}.
 */
public final class PrefixedOutput implements OutputFollower.Receiver {

  private static final int BLOCK = 64 << 10;

  private record Stream(TaskId task, OutputStreamName name) {}

  private final TaskNames names;
  private final PrintStream out;
  private final PrintStream err;
  private final Map<Stream, ByteArrayOutputStream> begun = new HashMap<>();

  /** Lines that are printed next; empty between two calls. */
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();

  /**
   * @param out gets the lines of stdout
   * @param err gets those of stderr
   */
  public PrefixedOutput(TaskNames names, PrintStream out, PrintStream err) {
    this.names = names;
    this.out = out;
    this.err = err;
  }

  @Override
  public void show(TaskId task, OutputStreamName stream, byte[] bytes, int from) {
    ByteArrayOutputStream line =
        begun.computeIfAbsent(new Stream(task, stream), any -> new ByteArrayOutputStream());
    byte[] prefix = prefix(task, stream);
    int begin = from;
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        block.write(prefix, 0, prefix.length);
        if (line.size() > 0) {
          block.writeBytes(line.toByteArray());
        }
        block.write(bytes, begin, i + 1 - begin);
        line.reset();
        begin = i + 1;
        if (block.size() >= BLOCK) {
          printBlock(to(stream));
        }
      }
    }
    line.write(bytes, begin, bytes.length - begin);
    printBlock(to(stream));
    to(stream).flush();
  }

  private byte[] prefix(TaskId task, OutputStreamName stream) {
    return names.prefix(task, stream).getBytes(StandardCharsets.UTF_8);
  }

  /** Prints whole lines at once: each write is one of the process. */
  private void printBlock(PrintStream to) {
    byte[] lines = block.toByteArray();
    synchronized (to) { // lines of other jobs do not get in between
      to.write(lines, 0, lines.length);
    }
    block.reset();
  }

  @Override
  public void dropped(long bytes, TaskId task, OutputStreamName stream) {
    String what = bytes + " bytes were dropped here: the task printed more than is kept\n";
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    line.writeBytes(what.getBytes(StandardCharsets.UTF_8));
    print(task, OutputStreamName.ERR, line);
  }

  @Override
  public void missing(String why) {
    err.println(missingText(why));
    err.flush();
  }

  /** Returns what a user is told of output that has not come. */
  static String missingText(String why) {
    return "remuda: output is missing here, remuda logs may have it later: "
        + PrintableText.of(why);
  }

  private PrintStream to(OutputStreamName stream) {
    return stream == OutputStreamName.OUT ? out : err;
  }

  private void print(TaskId task, OutputStreamName stream, ByteArrayOutputStream line) {
    block.writeBytes(prefix(task, stream));
    block.writeBytes(line.toByteArray());
    printBlock(to(stream));
    line.reset();
  }

  /** Prints what does not end with a line break. */
  public void close() {
    begun.forEach(
        (stream, line) -> {
          if (line.size() > 0) {
            line.write('\n');
            print(stream.task(), stream.name(), line);
          }
        });
    out.flush();
    err.flush();
  }
}
