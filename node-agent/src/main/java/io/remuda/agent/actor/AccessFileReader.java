package io.remuda.agent.actor;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.AgentSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Reads the access file for the link to the coordinator. Blocks while the disk hangs. */
final class AccessFileReader {

  /** Dispatcher for this actor. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  /** Reads the file; the answer goes to {@code replyTo}. */
  record Read(ActorRef<CoordinatorLink.Command> replyTo) {}

  private AccessFileReader() {}

  static Behavior<Read> create(AgentSettings settings) {
    return Behaviors.receive(Read.class)
        .onMessage(
            Read.class,
            command -> {
              command.replyTo().tell(read(settings));
              return Behaviors.same();
            })
        .build();
  }

  private static CoordinatorLink.AccessRead read(AgentSettings settings) {
    try {
      return Files.notExists(settings.access())
          ? new CoordinatorLink.AccessRead(Optional.empty(), "")
          : new CoordinatorLink.AccessRead(Optional.of(AccessFile.read(settings.access())), "");
    } catch (IOException | IllegalArgumentException fault) {
      return new CoordinatorLink.AccessRead(Optional.empty(), fault.toString());
    }
  }
}
