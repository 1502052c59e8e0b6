package io.remuda.agent.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.settings.AgentSettings;
import java.time.Duration;
import java.util.Optional;

/** Detects that the disk or the keeper hangs, for the coordinator. One thread. */
final class NodeStallDetector {

  private final NodeFileOperations files;
  private final AgentSettings settings;
  private Duration keeper = Duration.ZERO;
  private boolean told;

  NodeStallDetector(NodeFileOperations files, AgentSettings settings) {
    this.files = files;
    this.settings = settings;
  }

  /** Sets how long the live keeper has not answered; 0 if it answers. */
  void keeperSilent(long millis) {
    keeper = Duration.ofMillis(millis);
  }

  /** Returns the message to send now: what hangs, or, once, that nothing hangs any more. */
  Optional<AgentMessage> look() {
    Duration disk = files.busy();
    if (isLong(disk)) {
      return tell("the disk of " + settings.folder(), disk);
    }
    if (isLong(keeper)) {
      return tell("the keeper, which is alive but does not answer,", keeper);
    }
    boolean over = told;
    told = false;
    return over ? Optional.of(new AgentMessage.Standstill("", 0)) : Optional.empty();
  }

  private Optional<AgentMessage> tell(String what, Duration time) {
    told = true;
    return Optional.of(new AgentMessage.Standstill(what, time.toMillis()));
  }

  private boolean isLong(Duration time) {
    return time.compareTo(settings.timing().standstill()) >= 0;
  }
}
