package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.EpochSpeeds;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskAttemptSummary;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.GpuCountChangeTrial;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.Scheduler;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.VictimSearch;
import io.remuda.coordinator.schedule.gpus.ElasticTraining;
import io.remuda.coordinator.schedule.gpus.SpeedCurve;
import io.remuda.coordinator.schedule.gpus.TrainingGpuAllocator;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gives trainings with {@code maxGpus} a number of GPUs that follows their measured speed. One that
 * waits starts with what is free, up to its part; one that runs changes between two epochs.
 * Single-threaded.
 */
final class ElasticTrainingScaler {

  /** What a restart costs before one was measured. */
  private static final long RESTART_MILLIS = 5000;

  private static final long PERIOD = Duration.ofSeconds(1).toNanos();

  /** Most waiting tasks that are counted for each class. */
  private static final int MOST_DEMAND = 1000;

  private static final double MILLIS = 1000;

  private final TaskTable table;
  private final JobTransitions jobs;
  private final Profiles profiles;
  private final OfferCache offers;

  /** The number of GPUs that each training should have, from the last division. */
  private Map<JobId, Integer> parts = Map.of();

  /** Sum of the epochs done at the last division. */
  private long lastEpochs;

  /** When the next division is due; null before the first. */
  private Long nextRound;

  ElasticTrainingScaler(
      TaskTable table, JobTransitions jobs, Profiles profiles, OfferCache offers) {
    this.table = table;
    this.jobs = jobs;
    this.profiles = profiles;
    this.offers = offers;
  }

  /** Returns whether the number of GPUs of a job's task may change. */
  static boolean isElastic(JobSpec spec) {
    return spec.terms().training() != null && spec.terms().training().isElastic();
  }

  /** Returns what a task asks for: of an elastic training with its current number of GPUs. */
  static ResourceRequest request(JobSpec spec, int task, Place place, TaskAttemptSummary history) {
    if (!isElastic(spec)) {
      return spec.request(task);
    }
    int count =
        place != null
            ? place.devices().size()
            : history.gpus() > 0 ? history.gpus() : spec.request().gpus();
    return spec.request().withGpus(Math.max(1, count));
  }

  /** Returns the type whose epochs are measured; empty for a job that is no training. */
  static Optional<JobType> type(JobSpec spec) {
    return spec.terms().training() == null || spec.terms().type() == null
        ? Optional.empty()
        : Optional.of(new JobType(spec.user(), spec.terms().type()));
  }

  /** Returns the model of the devices of a place; empty without devices. */
  static String model(OfferCache offers, Place place) {
    return place.devices().isEmpty()
        ? ""
        : offers.models(place.node(), place.devices().subList(0, 1));
  }

  /**
   * Has waiting trainings ask for as many GPUs as there are for them, and for one if none is.
   *
   * @param last the plan of the cycle before, which says what others lack
   * @param promised classes with tasks for which others leave, which keep what these ask for
   */
  void fit(Snapshot snapshot, Plan last, Set<TaskClass.SchedulingKey> promised, long now) {
    List<PendingTask> waiting = new ArrayList<>();
    for (JobId job : table.of(IndexedJobProperty.ELASTIC)) {
      if (table.find(new TaskId(job, 0)) instanceof PendingTask task
          && task.state() == TaskState.WAITING
          && !promised.contains(table.key(task))
          && task.notBefore() - now <= 0) {
        waiting.add(task);
      }
    }
    giveParts(waiting, snapshot, last, now);
    for (PendingTask task : waiting) {
      int count = fitting(task, snapshot);
      if (count != table.needs(task).gpus()) {
        table.put(task.with(task.history().withGpus(count)));
      }
    }
  }

  /**
   * Gives a part of what is free now to those that the last division gave none: it did not know
   * them, or nothing was free then.
   */
  private void giveParts(List<PendingTask> waiting, Snapshot snapshot, Plan last, long now) {
    List<JobId> without =
        waiting.stream()
            .map(task -> task.id().job())
            .filter(job -> parts.getOrDefault(job, 0) == 0)
            .toList();
    if (without.isEmpty()) {
      return;
    }
    Map<JobId, Integer> divided = divide(present(), free(snapshot), last, snapshot, now);
    Map<JobId, Integer> all = new HashMap<>(parts);
    without.forEach(job -> all.put(job, divided.get(job)));
    parts = all;
  }

  private int fitting(PendingTask task, Snapshot snapshot) {
    JobSpec spec = table.spec(task);
    int most = spec.terms().training().maxGpus();
    int count = Math.min(most, Math.max(1, parts.get(spec.id())));
    while (count > 1 && !starts(task, count, snapshot)) {
      count = count == Integer.highestOneBit(count) ? count / 2 : Integer.highestOneBit(count);
    }
    return count;
  }

  private boolean starts(PendingTask task, int gpus, Snapshot snapshot) {
    return !Scheduler.plan(snapshot, List.of(with(task, gpus))).placements().isEmpty();
  }

  /** Returns a training as a class of its own, as if it waited for this number of GPUs. */
  private TaskClass with(TaskRecord task, int gpus) {
    TaskRecord waiting =
        TaskRecord.unplaced(task.id(), TaskState.WAITING, task.history().withGpus(gpus), 0);
    return new TaskClass(
        table.key(waiting), TaskSet.of(List.of(task.id())), 0, TaskClass.Overtaking.ALLOWED);
  }

  /**
   * Has trainings leave that should go on with another number of GPUs; once a second, and after
   * each epoch, because the next one begins soon.
   */
  List<TaskChange> change(Snapshot snapshot, Plan plan, VictimSearch.Capacity capacity, long now) {
    long epochs = epochsDone();
    boolean soon = nextRound != null && now - nextRound < 0 && epochs == lastEpochs;
    if (table.of(IndexedJobProperty.ELASTIC).isEmpty() || soon) {
      return List.of();
    }
    nextRound = now + PERIOD;
    lastEpochs = epochs;
    List<ElasticTraining> trainings = present();
    Map<String, Integer> free = free(snapshot);
    take(free, plan, snapshot);
    parts = divide(trainings, free, plan, snapshot, now);
    List<TaskChange> changes = new ArrayList<>();
    GpuCountChangeTrial trial = new GpuCountChangeTrial(snapshot, capacity);
    for (ElasticTraining training : trainings) {
      int part = parts.get(training.job());
      boolean differs = training.now() > 0 && part > 0 && part != training.now();
      if (differs && table.find(new TaskId(training.job(), 0)) instanceof PlacedTask task) {
        if (mayChange(task, now) && trial.startsAgain(with(task, part), task.place().slot())) {
          changes.addAll(jobs.leaving().resize(task, part, words(training.now(), part), now));
        }
      }
    }
    return changes;
  }

  /** Returns the trainings that wait, run, or leave for another number of GPUs. */
  private List<ElasticTraining> present() {
    List<ElasticTraining> trainings = new ArrayList<>();
    for (JobId job : table.of(IndexedJobProperty.ELASTIC)) {
      TaskRecord task = table.find(new TaskId(job, 0));
      if (isThere(task)) {
        trainings.add(training(task));
      }
    }
    return trainings;
  }

  /** Divides what the trainings hold and what is free, less what others lack by this plan. */
  private Map<JobId, Integer> divide(
      List<ElasticTraining> trainings,
      Map<String, Integer> free,
      Plan plan,
      Snapshot snapshot,
      long now) {
    int held = trainings.stream().mapToInt(ElasticTraining::now).sum();
    int unused = free.values().stream().mapToInt(Integer::intValue).sum();
    int gpus = held + unused - demand(plan, free, now);
    return TrainingGpuAllocator.divide(trainings, gpus, largestNode(snapshot));
  }

  private long epochsDone() {
    long epochs = 0;
    for (JobId job : table.of(IndexedJobProperty.ELASTIC)) {
      TaskRecord task = table.find(new TaskId(job, 0));
      epochs += task == null ? 0 : task.epochsDone();
    }
    return epochs;
  }

  private static String words(int before, int after) {
    return "goes on with " + after + (after == 1 ? " GPU" : " GPUs") + " in place of " + before;
  }

  private static boolean isThere(TaskRecord task) {
    return task instanceof PlacedTask
        ? !task.state().isLeaving() || task.state() == TaskState.STOPPING
        : task != null && task.state() == TaskState.WAITING;
  }

  private boolean mayChange(PlacedTask task, long now) {
    PreemptionTerms terms = table.spec(task).terms().preemption();
    long since = task.progress().runningSince();
    return terms != null
        && task.state() == TaskState.RUNNING
        && task.progress().silentSince() == 0
        && task.preemptions() < terms.most()
        && (now - since) / 1_000_000 >= terms.afterMillis();
  }

  private ElasticTraining training(TaskRecord task) {
    JobSpec spec = table.spec(task);
    PlacedTask placed = task instanceof PlacedTask there ? there : null;
    int left = Math.max(1, spec.terms().training().epochs() - task.epochsDone());
    EpochSpeeds speeds =
        type(spec).flatMap(profiles::of).map(Profile::epochs).orElse(EpochSpeeds.NONE);
    String model = placed == null ? null : model(offers, placed.place());
    long restart = speeds.restartMillis() == 0 ? RESTART_MILLIS : speeds.restartMillis();
    return new ElasticTraining(
        spec.id(),
        spec.terms().rank(),
        placed == null ? 0 : placed.place().devices().size(),
        spec.terms().training().maxGpus(),
        left,
        curve(speeds, model),
        restart / MILLIS,
        placed != null && placed.progress().savedAt() != 0 && left > 1);
  }

  /** Returns the measured speeds on a model; of a training without a place on its newest. */
  private static SpeedCurve curve(EpochSpeeds speeds, String model) {
    List<EpochSpeeds.EpochTime> all = speeds.measured();
    String of = model != null || all.isEmpty() ? model : all.get(all.size() - 1).model();
    Map<Integer, Double> measured = new HashMap<>();
    for (EpochSpeeds.EpochTime time : all) {
      if (time.model().equals(of) && time.gpus() > 0 && time.millis() > 0) {
        measured.put(time.gpus(), MILLIS / time.millis());
      }
    }
    return new SpeedCurve(measured);
  }

  /** Returns the number of free whole GPUs of each node; none where others claim it. */
  private static Map<String, Integer> free(Snapshot snapshot) {
    Map<String, Integer> free = new HashMap<>();
    for (NodeOffer node : snapshot.nodes()) {
      boolean claimed = snapshot.claims().containsKey(node.node());
      if (node.presence() == NodeOffer.Presence.READY && !claimed) {
        long count =
            whole(node).filter(device -> device.standing() == DeviceOffer.Standing.FREE).count();
        free.put(node.node(), (int) count);
      }
    }
    return free;
  }

  /** Takes the whole GPUs that a plan places tasks on. */
  private static void take(Map<String, Integer> free, Plan plan, Snapshot snapshot) {
    Set<DeviceId> slices =
        snapshot.nodes().stream()
            .flatMap(node -> node.devices().stream())
            .filter(DeviceOffer::slice)
            .map(DeviceOffer::id)
            .collect(Collectors.toSet());
    for (Plan.Placement placement : plan.placements()) {
      int taken =
          (int) placement.devices().stream().filter(device -> !slices.contains(device)).count();
      free.computeIfPresent(placement.node(), (node, count) -> count - taken);
    }
  }

  /**
   * Returns the number of GPUs that other waiting tasks lack, as far as they could get them: free
   * ones, and those of trainings that have more than one. Scavengers get what is left.
   */
  private int demand(Plan plan, Map<String, Integer> free, long now) {
    Map<String, Integer> possible = new HashMap<>(free);
    for (JobId job : table.of(IndexedJobProperty.ELASTIC)) {
      if (table.find(new TaskId(job, 0)) instanceof PlacedTask task) {
        int more = task.place().devices().size() - 1;
        possible.computeIfPresent(task.place().node(), (node, count) -> count + more);
      }
    }
    Map<TaskClass.SchedulingKey, TaskSet> lines = table.lines(now);
    int gpus = 0;
    for (Map.Entry<TaskClass.SchedulingKey, List<WaitReason>> line : plan.waiting().entrySet()) {
      TaskSet tasks = lines.get(line.getKey());
      boolean lacks =
          line.getValue().stream().anyMatch(WaitReason.TooFewFreeGpus.class::isInstance);
      if (tasks != null
          && lacks
          && !line.getKey().fillsHoles()
          && !DeviceOffer.asksForSlices(line.getKey().needs().gpuModel())
          && !table.of(IndexedJobProperty.ELASTIC).contains(tasks.first().job())) {
        gpus += taken(possible, line.getKey().needs().gpus(), tasks.size());
      }
    }
    return gpus;
  }

  /** Takes the GPUs of a number of tasks from those that are possible, and returns how many. */
  private static int taken(Map<String, Integer> possible, int each, int tasks) {
    int taken = 0;
    for (int task = 0; task < Math.min(tasks, MOST_DEMAND); task++) {
      Optional<Map.Entry<String, Integer>> node =
          possible.entrySet().stream().max(Map.Entry.comparingByValue());
      if (node.isEmpty() || node.get().getValue() < each) {
        break;
      }
      node.get().setValue(node.get().getValue() - each);
      taken += each;
    }
    return taken;
  }

  /** Returns the whole GPUs of a node: no training gets more than one slice of one. */
  private static Stream<DeviceOffer> whole(NodeOffer node) {
    return node.devices().stream().filter(device -> !device.slice());
  }

  private static int largestNode(Snapshot snapshot) {
    return (int) snapshot.nodes().stream().mapToLong(node -> whole(node).count()).max().orElse(0);
  }
}
