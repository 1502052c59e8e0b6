package io.remuda.agent.actor;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.WorkerOrder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The folder of one attempt: its order, its output, its socket and its exit record.
 *
 * @param path the folder
 */
record TaskFolder(Path path) {

  private static final int TAIL_BYTES = 4096;

  static TaskFolder of(AgentSettings settings, AttemptId attempt) {
    return new TaskFolder(settings.folder().resolve("tasks").resolve(attempt.toString()));
  }

  /** Makes the folder with mode 0700 and writes the worker's order into it. */
  void prepare(TaskOrder order, Path cache) throws IOException {
    Files.createDirectories(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    WorkerOrder worker =
        new WorkerOrder(
            WorkerOrder.VERSION,
            order.attempt(),
            order.workload(),
            order.threads(),
            order.cuda(),
            cache.toString());
    new JsonMapper().writeValue(path.resolve(WorkerOrder.FILE).toFile(), worker);
  }

  Path stdout() {
    return path.resolve("out");
  }

  Path stderr() {
    return path.resolve("err");
  }

  /** The last line that the process wrote to stderr and that is not part of a stack trace. */
  Optional<String> lastWords() {
    try (RandomAccessFile file = new RandomAccessFile(stderr().toFile(), "r")) {
      file.seek(Math.max(0, file.length() - TAIL_BYTES));
      byte[] tail = new byte[TAIL_BYTES];
      int length = Math.max(0, file.read(tail));
      return new String(tail, 0, length, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("\t"))
          .reduce((first, second) -> second);
    } catch (IOException noOutput) {
      return Optional.empty();
    }
  }
}
