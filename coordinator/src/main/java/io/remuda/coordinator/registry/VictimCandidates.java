package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.task.AttemptStage;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.PreemptibleTaskGroup;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tasks that may be asked to leave their places, and what that would cost. Single-threaded. */
final class VictimCandidates {

  private final TaskTable table;
  private final Profiles profiles;

  VictimCandidates(TaskTable table, Profiles profiles) {
    this.table = table;
    this.profiles = profiles;
  }

  /** Returns the slots whose tasks are leaving and will surely have left. */
  Set<Long> leaving() {
    Set<Long> slots = new HashSet<>();
    for (PlacedTask task : table.placed()) {
      if (task.state().isLeaving() && task.progress().silentSince() == 0 && !task.isStuck()) {
        slots.add(task.place().slot());
      }
    }
    return slots;
  }

  /** Returns how long the slowest of these may take to leave. */
  long leaveNanos(List<PreemptibleTaskGroup> victims) {
    long longest = 0;
    for (PreemptibleTaskGroup victim : victims) {
      for (TaskId task : victim.tasks()) {
        longest = Math.max(longest, leaveMillis(table.find(task), table));
      }
    }
    return longest * 1_000_000;
  }

  /** Returns how long a task may take to leave. */
  static long leaveMillis(TaskRecord task, TaskTable table) {
    JobTerms terms = table.spec(task).terms();
    TrainingProgress told = task.history().training();
    long epoch =
        terms.training() == null
            ? 0
            : (told == null ? TrainingProgress.NONE : told).patienceMillis();
    return epoch + terms.ending().graceMillis();
  }

  /** Returns the tasks that may be asked, by slot and gang; scavengers always may. */
  List<PreemptibleTaskGroup> candidates(long now) {
    Map<Object, List<PlacedTask>> together = new LinkedHashMap<>();
    for (PlacedTask task : table.placed()) {
      JobSpec spec = table.spec(task);
      if (spec.terms().preemption() != null) {
        Object group = spec.terms().startsTogether() ? spec.id() : task.place().slot();
        together.computeIfAbsent(group, any -> new ArrayList<>()).add(task);
      }
    }
    List<PreemptibleTaskGroup> victims = new ArrayList<>();
    for (List<PlacedTask> group : together.values()) {
      boolean scavengers = fillsHoles(group.get(0));
      if (group.stream().allMatch(this::mayBeAsked)
          && isAlone(group)
          && (scavengers || hasRun(group, now) && isAll(group) && pays(group, now))) {
        victims.add(victim(group, now));
      }
    }
    return victims;
  }

  private boolean mayBeAsked(PlacedTask task) {
    PreemptionTerms terms = table.spec(task).terms().preemption();
    boolean lives = task.state() == TaskState.RUNNING || task.state() == TaskState.STARTING;
    return lives
        && task.progress().silentSince() == 0
        && (fillsHoles(task) || task.preemptions() < terms.most());
  }

  private boolean fillsHoles(PlacedTask task) {
    return table.spec(task).terms().qos() == Qos.SCAVENGER;
  }

  /** Returns whether its first task has run for the time that its terms state. */
  private boolean hasRun(List<PlacedTask> group, long now) {
    long longest = -1;
    for (PlacedTask task : group) {
      long since = task.progress().runningSince();
      longest = Math.max(longest, since == 0 ? -1 : (now - since) / 1_000_000);
    }
    return longest >= table.spec(group.get(0)).terms().preemption().afterMillis();
  }

  /**
   * Returns whether others gain more time than is lost: a training leaves at the end of an epoch,
   * so they gain its further epochs, and it loses a new start. Of a program without epochs nobody
   * knows when it will end.
   */
  private boolean pays(List<PlacedTask> group, long now) {
    return group.stream().noneMatch(task -> furtherMillis(task, now) <= restartMillis(task));
  }

  /**
   * Returns how long the epochs after the current one will take: each as long as the last one, or
   * as the current one has taken if that is longer already.
   */
  private long furtherMillis(PlacedTask task, long now) {
    TrainingTerms terms = table.spec(task).terms().training();
    if (terms == null) {
      return Long.MAX_VALUE;
    }
    long further = Math.max(0, terms.epochs() - task.epochsDone() - 1);
    TrainingProgress told = task.history().training();
    if (further == 0) {
      return 0;
    }
    return told != null && told.epochMillis() > 0
        ? further * Math.max(told.epochMillis(), currentMillis(task, now))
        : Long.MAX_VALUE;
  }

  /**
   * Returns how long the current epoch has taken; negative while a start is expected to take on.
   * The first epoch of an attempt begins once the attempt has run as long as a start takes.
   */
  private long currentMillis(PlacedTask task, long now) {
    AttemptStage stage = task.progress();
    if (stage.savedAt() != 0) {
      return (now - stage.savedAt()) / 1_000_000;
    }
    long ran = stage.runningSince() == 0 ? 0 : (now - stage.runningSince()) / 1_000_000;
    return ran - restartMillis(task);
  }

  /** Returns what a start of its type has cost until its first epoch began; 0 if unknown. */
  private long restartMillis(PlacedTask task) {
    return ElasticTrainingScaler.type(table.spec(task))
        .flatMap(profiles::of)
        .map(profile -> profile.epochs().restartMillis())
        .orElse(0L);
  }

  /** Returns whether it is a whole gang, or none. */
  private boolean isAll(List<PlacedTask> group) {
    JobSpec first = table.spec(group.get(0));
    return !first.terms().startsTogether()
        || group.size() == first.tasks().size(); // else one has ended, and would begin again
  }

  /** Returns whether no task of another kind shares its slots. */
  private boolean isAlone(List<PlacedTask> group) {
    for (PlacedTask task : group) {
      for (TaskId other : table.inSlot(task.place().slot())) {
        TaskRecord there = table.find(other);
        if (table.spec(there).terms().preemption() == null) {
          return false;
        }
      }
    }
    return true;
  }

  private PreemptibleTaskGroup victim(List<PlacedTask> group, long now) {
    Set<Long> slots = new HashSet<>();
    Set<String> nodes = new HashSet<>();
    long lost = 0;
    for (PlacedTask task : group) {
      slots.add(task.place().slot());
      nodes.add(task.place().node());
      lost += costMillis(task, now);
    }
    return new PreemptibleTaskGroup(
        group.stream().map(PlacedTask::id).sorted().toList(),
        slots,
        nodes,
        table.spec(group.get(0)).terms().rank(),
        lost);
  }

  /**
   * Returns the run time that a task would lose; of a training, how long its epoch and then a new
   * start take.
   */
  private long costMillis(PlacedTask task, long now) {
    TrainingProgress told = task.history().training();
    if (told != null && told.epochMillis() > 0) {
      return Math.max(0, told.epochMillis() - currentMillis(task, now)) + restartMillis(task);
    }
    AttemptStage stage = task.progress();
    long since = Math.max(stage.runningSince(), stage.savedAt());
    return since == 0 ? 0 : (now - since) / 1_000_000;
  }

  /** Returns the nodes of these slots. */
  Set<String> nodesOf(Collection<Long> slots) {
    Set<String> nodes = new HashSet<>();
    for (long slot : slots) {
      for (TaskId task : table.inSlot(slot)) {
        if (table.find(task) instanceof PlacedTask placed) {
          nodes.add(placed.place().node());
        }
      }
    }
    return nodes;
  }
}
