package io.remuda.coordinator.slurm;

import io.remuda.coordinator.launch.RunAgents;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Watches the agents of an allocation. A node that stays silent gets a new agent; when Slurm
 * revokes the allocation, the run is ordered to end.
 */
final class SlurmAgentWatcher extends AbstractBehavior<RunAgents.Command> {

  private static final int MOST_QUICK_ENDS = 3;

  /** Maximum time from an srun to the agent's first message, with Slurm's work on the node. */
  private static final Duration START = Duration.ofSeconds(45);

  private record Replace(String node) implements RunAgents.Command {}

  private record StepEnded(AgentStep step) implements RunAgents.Command {}

  private enum EndForced implements RunAgents.Command {
    INSTANCE
  }

  private final SlurmStepAgents agents;
  private final List<AgentStep> steps;
  private final TimerScheduler<RunAgents.Command> timers;
  private final Duration patience;
  private final ActorRef<RunAgents.Trouble> trouble;
  private final Set<String> heard = new HashSet<>();
  private final Map<String, Integer> quickEnds = new HashMap<>();
  private boolean revoked;
  private ActorRef<RunAgents.Ended> endReply;

  private SlurmAgentWatcher(
      ActorContext<RunAgents.Command> context,
      TimerScheduler<RunAgents.Command> timers,
      SlurmStepAgents agents,
      List<AgentStep> started,
      Duration patience,
      ActorRef<RunAgents.Trouble> trouble) {
    super(context);
    this.timers = timers;
    this.agents = agents;
    this.steps = new ArrayList<>(started);
    this.patience = patience;
    this.trouble = trouble;
    started.forEach(this::watch);
  }

  static Behavior<RunAgents.Command> create(
      SlurmStepAgents agents,
      List<AgentStep> started,
      Duration patience,
      ActorRef<RunAgents.Trouble> trouble) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new SlurmAgentWatcher(context, timers, agents, started, patience, trouble)));
  }

  @Override
  public Receive<RunAgents.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(RunAgents.Silent.class, this::onSilent)
        .onMessage(RunAgents.Heard.class, this::onHeard)
        .onMessage(RunAgents.Signalled.class, this::onSignalled)
        .onMessage(Replace.class, this::onReplace)
        .onMessage(StepEnded.class, this::onStepEnded)
        .onMessage(RunAgents.End.class, this::onEnd)
        .onMessage(EndForced.class, message -> onEndForced())
        .build();
  }

  private void watch(AgentStep step) {
    getContext().pipeToSelf(step.srun().onExit(), (process, fault) -> new StepEnded(step));
  }

  private Behavior<RunAgents.Command> onSilent(RunAgents.Silent event) {
    if (!agents.has(event.node())) {
      return this; // an agent that others have started is left to them
    }
    timers.startSingleTimer(event.node(), new Replace(event.node()), patience);
    return this;
  }

  private Behavior<RunAgents.Command> onHeard(RunAgents.Heard event) {
    timers.cancel(event.node());
    heard.add(event.node());
    quickEnds.remove(event.node());
    return this;
  }

  /** Reports the end of the allocation: Slurm signals the tasks before it revokes their nodes. */
  private Behavior<RunAgents.Command> onSignalled(RunAgents.Signalled event) {
    return agents.has(event.node())
        ? revoke("Slurm ended the agents (scancel, or the time limit)")
        : this;
  }

  private Behavior<RunAgents.Command> revoke(String cause) {
    if (!revoked && endReply == null) {
      revoked = true;
      trouble.tell(new RunAgents.Revoked(cause));
    }
    return this;
  }

  private Behavior<RunAgents.Command> onReplace(Replace event) {
    String node = event.node();
    if (revoked || endReply != null) {
      return this;
    }
    try {
      if (!agents.isOurs()) {
        return revoke("Slurm has ended the job");
      }
      if (!heard.remove(node) && quickEnds.merge(node, 1, Integer::sum) >= MOST_QUICK_ENDS) {
        trouble.tell(new RunAgents.GaveUp(node, lastWords()));
        return this;
      }
      AgentStep step = agents.startAgain(node);
      steps.add(step);
      watch(step);
      timers.startSingleTimer(node, event, START); // until its first message
    } catch (IOException fault) {
      trouble.tell(new RunAgents.GaveUp(node, fault.getMessage()));
    }
    return this;
  }

  /** Replaces the agents of a step; it ends when the last of its agents does. */
  private Behavior<RunAgents.Command> onStepEnded(StepEnded event) {
    steps.remove(event.step());
    if (endReply != null) {
      return steps.isEmpty() ? ended() : this;
    }
    for (String node : event.step().nodes()) {
      if (!heard.contains(node) || steps.stream().noneMatch(step -> step.nodes().contains(node))) {
        onAgentEnded(node);
      }
    }
    return this;
  }

  private void onAgentEnded(String node) {
    if (!heard.contains(node) && !revoked) {
      trouble.tell(new RunAgents.NeverHeard(node));
    }
    timers.startSingleTimer(node, new Replace(node), patience);
  }

  private String lastWords() {
    try {
      List<String> lines = Files.readAllLines(agents.log());
      return (lines.isEmpty() ? "srun printed nothing" : telling(lines))
          + " (see "
          + agents.log()
          + " and agent.log of the node)";
    } catch (IOException fault) {
      return "srun's log cannot be read: " + fault;
    }
  }

  /** Returns the first error of srun, not the hint after it; the last line if there is none. */
  private static String telling(List<String> lines) {
    return lines.stream()
        .filter(line -> line.matches("srun: (error|fatal|unrecognized|invalid|option|ambiguous).*"))
        .findFirst()
        .orElse(lines.get(lines.size() - 1));
  }

  private Behavior<RunAgents.Command> onEnd(RunAgents.End command) {
    endReply = command.replyTo();
    timers.cancelAll();
    if (steps.isEmpty()) {
      return ended();
    }
    timers.startSingleTimer(EndForced.INSTANCE, command.within());
    return this;
  }

  private Behavior<RunAgents.Command> onEndForced() {
    agents.kill();
    return ended();
  }

  private Behavior<RunAgents.Command> ended() {
    endReply.tell(RunAgents.Ended.INSTANCE);
    return Behaviors.stopped();
  }
}
