package io.remuda.coordinator.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Watches the agents of this machine. An agent that ends is started again. An agent that lives but
 * is silent, from its start or later, is killed first. An agent that ends three times in a row
 * before its first message is given up. At the end the actor waits for all agents and leaves no
 * process. It blocks, so it runs on the blocking dispatcher.
 */
final class LocalAgentWatcher extends AbstractBehavior<RunAgents.Command> {

  private static final int MOST_QUICK_ENDS = 3;

  /** Maximum time from an agent's start to its first message; enough even if a driver hangs. */
  private static final Duration START = Duration.ofSeconds(35);

  private record Exited(String node, Process process) implements RunAgents.Command {}

  private record Replace(String node) implements RunAgents.Command {}

  private enum EndForced implements RunAgents.Command {
    INSTANCE
  }

  private static final class Agent {
    private final LocalAgentLaunch launch;
    private Process process;
    private int quickEnds;
    private boolean heard;

    private Agent(LocalAgentLaunch launch, Process process) {
      this.launch = launch;
      this.process = process;
    }
  }

  private final Map<String, Agent> agents = new HashMap<>();
  private final TimerScheduler<RunAgents.Command> timers;
  private final Duration patience;
  private final ActorRef<RunAgents.Trouble> trouble;
  private ActorRef<RunAgents.Ended> endReply;

  private LocalAgentWatcher(
      ActorContext<RunAgents.Command> context,
      TimerScheduler<RunAgents.Command> timers,
      Map<LocalAgentLaunch, Process> started,
      Duration patience,
      ActorRef<RunAgents.Trouble> trouble) {
    super(context);
    this.timers = timers;
    this.patience = patience;
    this.trouble = trouble;
    started.forEach(
        (launch, process) -> {
          agents.put(launch.node(), new Agent(launch, process));
          watch(launch.node(), process);
          replaceAfter(START, launch.node());
        });
  }

  /**
   * Returns the behaviour of the actor.
   *
   * @param started the agents' first processes
   * @param patience how long a node may be silent while its agent lives
   * @param trouble is notified of agents that end too early
   */
  static Behavior<RunAgents.Command> create(
      Map<LocalAgentLaunch, Process> started,
      Duration patience,
      ActorRef<RunAgents.Trouble> trouble) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new LocalAgentWatcher(context, timers, started, patience, trouble)));
  }

  @Override
  public Receive<RunAgents.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(RunAgents.Silent.class, this::onSilent)
        .onMessage(RunAgents.Heard.class, this::onHeard)
        .onMessage(RunAgents.Signalled.class, message -> this) // its exit is reported, too
        .onMessage(Replace.class, this::onReplace)
        .onMessage(Exited.class, this::onExited)
        .onMessage(RunAgents.End.class, this::onEnd)
        .onMessage(EndForced.class, message -> onEndForced())
        .build();
  }

  private void watch(String node, Process process) {
    getContext().pipeToSelf(process.onExit(), (ended, fault) -> new Exited(node, process));
  }

  private Behavior<RunAgents.Command> onSilent(RunAgents.Silent event) {
    Agent agent = agents.get(event.node());
    if (agent != null && agent.heard) { // while it starts, START applies
      replaceAfter(patience, event.node());
    }
    return this;
  }

  private void replaceAfter(Duration wait, String node) {
    timers.startSingleTimer(node, new Replace(node), wait);
  }

  private Behavior<RunAgents.Command> onHeard(RunAgents.Heard event) {
    timers.cancel(event.node());
    if (agents.containsKey(event.node())) {
      agents.get(event.node()).heard = true;
    }
    return this;
  }

  /** Ends an agent that does not answer; its exit starts the next one. */
  private Behavior<RunAgents.Command> onReplace(Replace event) {
    agents.get(event.node()).process.destroyForcibly();
    return this;
  }

  private Behavior<RunAgents.Command> onExited(Exited event) {
    Agent agent = agents.get(event.node());
    if (!agent.process.equals(event.process())) {
      return this;
    }
    if (endReply != null) {
      return checkEnded();
    }
    agent.quickEnds = agent.heard ? 0 : agent.quickEnds + 1;
    if (agent.quickEnds >= MOST_QUICK_ENDS) {
      trouble.tell(new RunAgents.GaveUp(event.node(), lastWords(agent)));
      return this;
    }
    if (!agent.heard) {
      trouble.tell(new RunAgents.NeverHeard(event.node()));
    }
    return startAgain(event.node(), agent);
  }

  private Behavior<RunAgents.Command> startAgain(String node, Agent agent) {
    try {
      agent.process = agent.launch.start();
      agent.heard = false;
      watch(node, agent.process);
      replaceAfter(START, node);
    } catch (IOException fault) {
      trouble.tell(new RunAgents.GaveUp(node, fault.toString()));
    }
    return this;
  }

  private static String lastWords(Agent agent) {
    Path log = agent.launch.log();
    return AgentProcess.lastWords(log, 0) + " (see " + log + ")";
  }

  private Behavior<RunAgents.Command> onEnd(RunAgents.End command) {
    endReply = command.replyTo();
    timers.cancelAll();
    timers.startSingleTimer(EndForced.INSTANCE, command.within());
    return checkEnded();
  }

  private Behavior<RunAgents.Command> checkEnded() {
    return agents.values().stream().noneMatch(agent -> agent.process.isAlive())
        ? onEndForced()
        : this;
  }

  /** Kills all remaining processes and reports the end. */
  private Behavior<RunAgents.Command> onEndForced() {
    killAll(new ArrayList<>(agents.values()));
    endReply.tell(RunAgents.Ended.INSTANCE);
    return Behaviors.stopped();
  }

  private static void killAll(List<Agent> agents) {
    for (Agent agent : agents) {
      agent.process.destroyForcibly();
      agent.launch.endAll();
    }
  }
}
