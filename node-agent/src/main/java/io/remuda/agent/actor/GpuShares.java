package io.remuda.agent.actor;

import io.remuda.agent.protocol.TaskEnd.GpuUse;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.settings.OnOverUse;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What tasks have of devices that they do not have for good: what they were promised, what they do
 * use, and what follows where that is more. One thread.
 */
final class GpuShares {

  /** What becomes of a task that uses too much. */
  interface Effects {

    /** Its user is told, once. */
    void warn(AttemptId attempt, String text);

    /** It is ended, and {@code text} says why. */
    void end(AttemptId attempt, String text);
  }

  private final GpuMeter meter;
  private final OnOverUse onOverUse;
  private final Consumer<Set<String>> freed;
  private final Effects effects;
  private final Map<AttemptId, GpuPromise> promises = new TreeMap<>();
  private final Set<AttemptId> warned = new HashSet<>();

  /** The devices of those that share them or are measured on them, by UUID. */
  private final Map<AttemptId, Set<String>> lent = new TreeMap<>();

  /**
   * Nobody has anything yet.
   *
   * @param freed is told the UUIDs of devices of which somebody had a part and has it no more
   */
  GpuShares(GpuMeter meter, OnOverUse onOverUse, Consumer<Set<String>> freed, Effects effects) {
    this.meter = meter;
    this.onOverUse = onOverUse;
    this.freed = freed;
    this.effects = effects;
  }

  /** A task is about to start that may be there to be measured. */
  void begins(TaskOrder order) {
    if (order.job().request().isAuto()) {
      List<DeviceId> devices = order.devices();
      meter.watch(order.attempt(), devices);
      lent.put(
          order.attempt(),
          devices.stream().map(DeviceId::uuid).collect(Collectors.toUnmodifiableSet()));
    }
  }

  /** A task is here, perhaps from before this agent was started, and was promised this. */
  void promised(AttemptId attempt, GpuPromise promise) {
    promises.put(attempt, promise);
    lent.put(attempt, Set.copyOf(promise.devices()));
  }

  /**
   * Takes in what is used.
   *
   * @param live whether an attempt is one of those that are here and not over
   */
  void sampled(NodeSample sample, Predicate<AttemptId> live) {
    meter.sampled(sample, live);
    OverUse.in(sample, promises).forEach(this::overused);
  }

  private void overused(OverUse over) {
    if (over.isMissed() && onOverUse == OnOverUse.STOP) {
      effects.end(over.attempt(), over.text() + "; others need what it has too much");
    } else if (warned.add(over.attempt())) {
      effects.warn(over.attempt(), over.text());
    }
  }

  /** Whether it matters which processes are on the devices. */
  boolean isBusy() {
    return meter.isBusy() || !promises.isEmpty();
  }

  /**
   * A task has ended; what it had used, if that was seen. One that is not known changes nothing.
   */
  Optional<GpuUse> ended(AttemptId attempt) {
    promises.remove(attempt);
    warned.remove(attempt);
    Optional.ofNullable(lent.remove(attempt)).ifPresent(freed);
    return meter.ended(attempt);
  }

  /** Measures nothing any more. */
  void close() {
    meter.close();
  }
}
