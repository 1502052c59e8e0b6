package io.remuda.agent.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.settings.AgentSettings;
import java.time.Duration;
import java.util.Optional;

/** Whether something that tasks need stands still here, for the coordinator. One thread. */
final class StallReport {

  private final FileWork files;
  private final AgentSettings settings;
  private Duration keeper = Duration.ZERO;
  private boolean told;

  StallReport(FileWork files, AgentSettings settings) {
    this.files = files;
    this.settings = settings;
  }

  /** The keeper lives and has said nothing for so long; 0 if it speaks. */
  void keeperSilent(long millis) {
    keeper = Duration.ofMillis(millis);
  }

  /** What is to be told now: what stands still, or, once, that nothing does any more. */
  Optional<AgentMessage> look() {
    Duration disk = files.busy();
    if (isLong(disk)) {
      return tell("the disk of " + settings.folder(), disk);
    }
    if (isLong(keeper)) {
      return tell("the keeper, which lives and says nothing,", keeper);
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
