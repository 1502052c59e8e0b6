package io.remuda.coordinator.testkit;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.main.AgentMain;
import io.remuda.agent.main.AgentStandIns;
import io.remuda.agent.main.RunningAgent;
import io.remuda.coordinator.service.AgentLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Agents that are actors in this JVM. Any thread. */
final class AgentsInThisProcess implements AgentLauncher {

  private final Caller caller;
  private final AgentStandIns standIns;
  private final Map<Path, RunningAgent> running = new LinkedHashMap<>();
  private boolean left;
  private int starts;

  /** Agents of this caller, whose environment their keepers inherit if these are processes. */
  AgentsInThisProcess(Caller caller, AgentStandIns standIns) {
    this.caller = caller;
    this.standIns = standIns;
  }

  @Override
  public synchronized Optional<Agent> find(Path folder) {
    return Optional.ofNullable(running.get(folder)).filter(RunningAgent::isAlive).map(Here::new);
  }

  @Override
  public synchronized Agent start(Path folder, List<String> options) throws IOException {
    if (left) {
      throw new IOException("this service ends");
    }
    RunningAgent before = running.remove(folder);
    if (before != null) {
      before.close(); // releases the folder of an agent that has ended by itself
    }
    RunningAgent agent = AgentMain.start(options, caller, standIns);
    running.put(folder, agent);
    starts++;
    return new Here(agent);
  }

  synchronized int starts() {
    return starts;
  }

  /** Returns the agent of a folder. */
  synchronized RunningAgent get(Path folder) {
    return Optional.ofNullable(running.get(folder))
        .orElseThrow(() -> new AssertionError("no agent of " + folder + ": " + running.keySet()));
  }

  /** Asks all agents to end, does not wait, and starts no other one. */
  synchronized void leave() {
    left = true;
    running.values().forEach(RunningAgent::leave);
  }

  /** Kills all agents; the server starts its own one again. */
  synchronized void kill() throws IOException {
    for (RunningAgent agent : running.values()) {
      agent.kill();
    }
  }

  /** Ends all agents; their keepers go on. */
  void close() throws IOException {
    List<RunningAgent> all;
    synchronized (this) {
      all = new ArrayList<>(running.values());
      running.clear();
    }
    all.forEach(RunningAgent::leave);
    for (RunningAgent agent : all) {
      agent.close();
    }
  }

  private record Here(RunningAgent agent) implements Agent {

    @Override
    public boolean isAlive() {
      return agent.isAlive();
    }

    @Override
    public int exitCode() {
      return agent.isRefused() ? 1 : 0;
    }

    @Override
    public void askToEnd() {
      agent.leave();
    }
  }
}
