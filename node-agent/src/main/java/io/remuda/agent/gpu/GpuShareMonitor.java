package io.remuda.agent.gpu;

import io.remuda.agent.attempt.PromisedGpuMemoryNote;
import io.remuda.agent.protocol.AttemptGpuUtilization;
import io.remuda.agent.protocol.TaskEnd.GpuUse;
import io.remuda.agent.protocol.TaskStartOrder;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The use of shared and measured devices by tasks: what each was promised, what it uses, and the
 * reaction if it uses more. One thread.
 */
public final class GpuShareMonitor {

  /** Acts on a task that uses too much memory, and on the end of tasks. */
  public interface Effects {

    /** Warns the user; called once per attempt. */
    void warn(AttemptId attempt, String text);

    /** Ends the attempt; {@code text} is the cause. */
    void end(AttemptId attempt, String text);

    /** An attempt that had a part of these devices has ended; {@code devices} are UUIDs. */
    void freed(Set<String> devices);
  }

  private final GpuMeter meter;
  private final OnOverUse onOverUse;
  private final Effects effects;
  private final Map<AttemptId, PromisedGpuMemoryNote> promises = new TreeMap<>();
  private final Set<AttemptId> warned = new HashSet<>();

  /** UUIDs of the devices of attempts that share them or are measured on them. */
  private final Map<AttemptId, Set<String>> lent = new TreeMap<>();

  public GpuShareMonitor(GpuMeter meter, OnOverUse onOverUse, Effects effects) {
    this.meter = meter;
    this.onOverUse = onOverUse;
    this.effects = effects;
  }

  /** Notes that an attempt is about to start; starts the measurement if its type is measured. */
  public void begins(TaskStartOrder order) {
    meter.loads().begins(order.attempt(), order.devices());
    if (order.job().request().gpuShare().isMeasured()) {
      List<DeviceId> devices = order.devices();
      meter.watch(order.attempt(), devices);
      lent.put(
          order.attempt(),
          devices.stream().map(DeviceId::uuid).collect(Collectors.toUnmodifiableSet()));
    }
  }

  /** Notes the devices of an attempt that an earlier agent has started. */
  public void adopted(AttemptId attempt, List<DeviceId> devices) {
    meter.loads().begins(attempt, devices);
  }

  /** Notes the promise to an attempt on this node, which an earlier agent may have started. */
  public void promised(AttemptId attempt, PromisedGpuMemoryNote promise) {
    promises.put(attempt, promise);
    lent.put(attempt, Set.copyOf(promise.devices()));
  }

  /**
   * Evaluates a sample.
   *
   * @param live whether an attempt is on this node and has not ended
   */
  public void sampled(NodeSample sample, Predicate<AttemptId> live) {
    meter.sampled(sample, live);
    OverUse.in(sample, promises).forEach(this::overused);
  }

  private void overused(OverUse over) {
    if (over.isMissed() && onOverUse == OnOverUse.STOP) {
      effects.end(over.attempt(), over.text() + "; other tasks need the excess");
    } else if (warned.add(over.attempt())) {
      effects.warn(over.attempt(), over.text());
    }
  }

  /** Returns whether samples should list the processes on the devices. */
  public boolean isBusy() {
    return meter.isBusy() || !promises.isEmpty();
  }

  /** Returns what an attempt has used so far, empty if no use was seen. */
  public Optional<GpuUse> soFar(AttemptId attempt) {
    return meter.soFar(attempt);
  }

  /**
   * Forgets an attempt that has ended; returns what it used, empty if no use was seen. Does nothing
   * for an unknown attempt.
   */
  public Optional<GpuUse> ended(AttemptId attempt) {
    promises.remove(attempt);
    warned.remove(attempt);
    Optional.ofNullable(lent.remove(attempt)).ifPresent(effects::freed);
    return meter.ended(attempt);
  }

  /** Returns how busy an attempt has kept its devices so far; empty without devices. */
  public Optional<AttemptGpuUtilization> loadSoFar(AttemptId attempt) {
    return meter.loads().soFar(attempt);
  }

  /** Forgets the load of an attempt that has ended, and returns it; empty without devices. */
  public Optional<AttemptGpuUtilization> loadEnded(AttemptId attempt) {
    return meter.loads().ended(attempt);
  }

  /** Stops all measurements. */
  public void close() {
    meter.close();
  }
}
