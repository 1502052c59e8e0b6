package io.remuda.coordinator.launch;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Agents on this machine, each a separate node. */
public final class LocalAgents implements RunAgents {

  private final String machine;
  private final int count;
  private final Map<LocalAgentLaunch, Process> started = new LinkedHashMap<>();

  /**
   * @param machine name of the node; if there are several, each has a number after it
   * @param count number of agents, 0 or more
   */
  public LocalAgents(String machine, int count) {
    this.machine = machine;
    this.count = count;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public String longestLocalName() {
    return name(count);
  }

  private String name(int number) {
    return count == 1 ? machine : machine + "-" + number;
  }

  @Override
  public boolean shareFiles() {
    return true;
  }

  @Override
  public void start(AgentLaunchSettings place) throws IOException {
    for (int number = 1; number <= count; number++) {
      LocalAgentLaunch launch = new LocalAgentLaunch(name(number), place);
      started.put(launch, launch.start());
    }
  }

  @Override
  public Behavior<Command> watch(Duration patience, ActorRef<Trouble> trouble) {
    return LocalAgentWatcher.create(started, patience, trouble);
  }

  @Override
  public void kill() {
    started.keySet().forEach(LocalAgentLaunch::endAll);
  }
}
