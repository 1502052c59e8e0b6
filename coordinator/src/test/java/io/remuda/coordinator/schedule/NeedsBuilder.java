package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.PID;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;

import io.remuda.worker.job.LeaseHolderProcess;
import io.remuda.worker.job.NodeConstraints;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Builds what a task needs. */
public final class NeedsBuilder {
  private double cpus;
  private int gpus;
  private long memory;
  private long gpuMemory;
  private String model;
  private final Map<String, String> labels = new TreeMap<>();
  private int perGpu;
  private int percent;
  private LeaseHolderProcess bound;
  private final SortedSet<String> only = new TreeSet<>();
  private final SortedSet<String> except = new TreeSet<>();
  private final SortedMap<String, Long> counted = new TreeMap<>();

  NeedsBuilder() {}

  public NeedsBuilder cpus(double cores) {
    cpus = cores;
    return this;
  }

  public NeedsBuilder memory(long bytes) {
    memory = bytes;
    return this;
  }

  /** Whole devices, unless {@link #gpuMemory} or {@link #perGpu} follows. */
  public NeedsBuilder gpus(int count) {
    gpus = count;
    return this;
  }

  public NeedsBuilder gpuMemory(long bytes) {
    gpuMemory = bytes;
    return this;
  }

  public NeedsBuilder model(String part) {
    model = part;
    return this;
  }

  public NeedsBuilder label(String key, String value) {
    labels.put(key, value);
    return this;
  }

  public NeedsBuilder perGpu(int most) {
    perGpu = most;
    return this;
  }

  public NeedsBuilder percent(int utilisation) {
    percent = utilisation;
    return this;
  }

  public NeedsBuilder only(String... nodes) {
    only.addAll(List.of(nodes));
    return this;
  }

  public NeedsBuilder except(String... nodes) {
    except.addAll(List.of(nodes));
    return this;
  }

  public NeedsBuilder counted(String resource, long amount) {
    counted.put(resource, amount);
    return this;
  }

  /** The process {@link ScheduleSamples#PID} can use these devices only. */
  public NeedsBuilder bound(String... uuids) {
    gpus = uuids.length;
    bound = new LeaseHolderProcess(PID, ids(uuids));
    return this;
  }

  public ResourceRequest request() {
    return new ResourceRequest(
        cpus,
        gpus,
        memory,
        gpuMemory,
        model,
        labels,
        perGpu,
        percent,
        bound,
        new NodeConstraints(only, except, counted));
  }
}
