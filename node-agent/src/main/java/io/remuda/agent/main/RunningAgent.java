package io.remuda.agent.main;

import io.remuda.agent.actor.NodeAgentCommand;
import io.remuda.agent.settings.AgentLock;
import io.remuda.agent.settings.AgentSettings;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An agent that runs in this process. Any thread. */
public final class RunningAgent implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningAgent.class);

  /** Longer than an agent takes to end by itself after its tasks' grace. */
  private static final long ENDING_MILLIS = 2000;

  private final ActorSystem<NodeAgentCommand> system;
  private final AgentSettings settings;
  private final AgentLock lock;
  private final AtomicBoolean refused;

  RunningAgent(
      ActorSystem<NodeAgentCommand> system,
      AgentSettings settings,
      AgentLock lock,
      AtomicBoolean refused) {
    this.system = system;
    this.settings = settings;
    this.lock = lock;
    this.refused = refused;
  }

  AgentSettings settings() {
    return settings;
  }

  void tell(NodeAgentCommand command) {
    system.tell(command);
  }

  /** Returns the end of this agent, by itself or by {@link #leave}. */
  public CompletionStage<Done> end() {
    return system.getWhenTerminated();
  }

  /** Returns whether it still runs. */
  public boolean isAlive() {
    return !end().toCompletableFuture().isDone();
  }

  /** Returns whether the coordinator has refused this agent, or it has found none. */
  public boolean isRefused() {
    return refused.get();
  }

  /** Asks it to end as SIGTERM does: what outlives agents goes on. Does not wait. */
  public void leave() {
    tell(new NodeAgentCommand.Leave("signal"));
  }

  /** Returns how long its end may take after {@link #leave}, in milliseconds. */
  long endsWithinMillis() {
    return settings.timing().grace().toMillis() + ENDING_MILLIS;
  }

  /**
   * Waits for its end, which an interrupt of the calling thread orders, and releases its folder.
   *
   * @throws IOException if it has failed, or does not end in time
   */
  void awaitEnd() throws IOException {
    try {
      end().toCompletableFuture().get();
      lock.close();
    } catch (ExecutionException failed) {
      lock.close();
      throw new IOException("the agent of " + settings.folder() + " has failed", failed);
    } catch (InterruptedException ordered) {
      close();
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Asks it to end, waits for that, and releases its folder for the next agent. If it does not end
   * in time, or the calling thread is interrupted, it is made to end, and its folder is released
   * when it has: never before, or two agents would use it.
   *
   * @throws IOException if it does not end in time
   */
  @Override
  public void close() throws IOException {
    leave();
    CompletableFuture<Done> ended = end().toCompletableFuture();
    try {
      ended.get(endsWithinMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException stuck) {
      throw new IOException("the agent of " + settings.folder() + " does not end", stuck);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      system.terminate(); // does nothing to one that has ended
      // whenComplete of this future hands over to another thread, also when it is complete
      ended.whenCompleteAsync((done, fault) -> release(), Runnable::run);
    }
  }

  private void release() {
    try {
      lock.close();
    } catch (IOException fault) {
      LOG.warn("the lock of {} cannot be released: {}", settings.folder(), fault.toString());
    }
  }

  /** Ends it at once, as a crash does: no message to the coordinator; its keeper goes on. */
  public void kill() throws IOException {
    system.terminate();
    end().toCompletableFuture().join();
    lock.close();
  }
}
