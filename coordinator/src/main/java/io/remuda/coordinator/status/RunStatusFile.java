package io.remuda.coordinator.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.file.AtomicFile;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Function;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.MailboxSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Keeps the file with a run's status up to date; replaces it atomically for readers. */
public final class RunStatusFile {

  /**
   * Dispatcher and mailbox of this actor. While the disk stalls, statuses do not accumulate: the
   * mailbox holds two, and later ones are dropped.
   */
  public static final Props PROPS =
      MailboxSelector.bounded(2).withDispatcherFromConfig("remuda.blocking-dispatcher");

  private RunStatusFile() {}

  /** Returns an actor that writes each status; it logs only the first of several failures. */
  public static Behavior<RunNodesStatus> create(Path file) {
    return Behaviors.setup(context -> keeping(context, file));
  }

  private static Behavior<RunNodesStatus> keeping(ActorContext<RunNodesStatus> context, Path file) {
    return phase(
        context,
        file,
        status -> {
          try {
            write(file, status);
            return Behaviors.same();
          } catch (IOException fault) {
            context.getLog().warn("cannot write the status file: {}", fault.toString());
            return failing(context, file);
          }
        });
  }

  private static Behavior<RunNodesStatus> failing(ActorContext<RunNodesStatus> context, Path file) {
    return phase(
        context,
        file,
        status -> {
          try {
            write(file, status);
            return keeping(context, file);
          } catch (IOException said) {
            return Behaviors.same();
          }
        });
  }

  private static Behavior<RunNodesStatus> phase(
      ActorContext<RunNodesStatus> context,
      Path file,
      Function<RunNodesStatus, Behavior<RunNodesStatus>> onStatus) {
    return Behaviors.receive(RunNodesStatus.class)
        .onMessage(RunNodesStatus.class, onStatus::apply)
        .onSignal(PostStop.class, signal -> remove(context, file))
        .build();
  }

  private static void write(Path file, RunNodesStatus status) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    Files.createFile(
        next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(next, PlainJson.MAPPER.writeValueAsBytes(status));
    AtomicFile.replace(next, file);
  }

  private static Behavior<RunNodesStatus> remove(ActorContext<RunNodesStatus> context, Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException fault) {
      context.getLog().warn("cannot delete the status file: {}", fault.toString());
    }
    return Behaviors.same();
  }

  /**
   * Reads a status.
   *
   * @throws IOException if it is missing or malformed
   */
  public static RunNodesStatus read(Path file) throws IOException {
    return PlainJson.MAPPER.readValue(Files.readAllBytes(file), RunNodesStatus.class);
  }

  /** Returns statuses as one JSON array. */
  public static String json(Iterable<RunNodesStatus> all) {
    try {
      return PlainJson.MAPPER.writeValueAsString(all);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("statuses are plain values", impossible);
    }
  }
}
