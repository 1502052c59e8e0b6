package io.remuda.coordinator.schedule.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Why a task was not placed; the text for people is made elsewhere. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reason")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WaitReason.NoNodes.class, name = "no-nodes"),
  @JsonSubTypes.Type(value = WaitReason.OnHold.class, name = "on-hold"),
  @JsonSubTypes.Type(value = WaitReason.AfterJob.class, name = "after-job"),
  @JsonSubTypes.Type(value = WaitReason.AfterOneOf.class, name = "after-one-of"),
  @JsonSubTypes.Type(value = WaitReason.BeginsLater.class, name = "begins-later"),
  @JsonSubTypes.Type(value = WaitReason.PauseBeforeRetry.class, name = "pause-before-retry"),
  @JsonSubTypes.Type(value = WaitReason.TypeMeasured.class, name = "type-measured"),
  @JsonSubTypes.Type(value = WaitReason.OthersLeave.class, name = "others-leave"),
  @JsonSubTypes.Type(value = WaitReason.TooManyPlaced.class, name = "too-many-placed"),
  @JsonSubTypes.Type(value = WaitReason.GangIncomplete.class, name = "gang-incomplete"),
  @JsonSubTypes.Type(value = WaitReason.MembersLeave.class, name = "members-leave"),
  @JsonSubTypes.Type(value = WaitReason.EnoughRunning.class, name = "enough-running"),
  @JsonSubTypes.Type(value = WaitReason.ServerEndsBefore.class, name = "server-ends-before"),
  @JsonSubTypes.Type(value = WaitReason.UserLimit.class, name = "user-limit"),
  @JsonSubTypes.Type(value = WaitReason.NodeSilent.class, name = "node-silent"),
  @JsonSubTypes.Type(value = WaitReason.NodeDraining.class, name = "node-draining"),
  @JsonSubTypes.Type(value = WaitReason.NodeStandsStill.class, name = "node-stands-still"),
  @JsonSubTypes.Type(value = WaitReason.NodeAvoided.class, name = "node-avoided"),
  @JsonSubTypes.Type(value = WaitReason.NotNamed.class, name = "not-named"),
  @JsonSubTypes.Type(value = WaitReason.Excluded.class, name = "excluded"),
  @JsonSubTypes.Type(value = WaitReason.TooFewCounted.class, name = "too-few-counted"),
  @JsonSubTypes.Type(value = WaitReason.TooFewInCluster.class, name = "too-few-in-cluster"),
  @JsonSubTypes.Type(value = WaitReason.CountedHeldBy.class, name = "counted-held-by"),
  @JsonSubTypes.Type(value = WaitReason.LacksLabel.class, name = "lacks-label"),
  @JsonSubTypes.Type(value = WaitReason.LacksModel.class, name = "lacks-model"),
  @JsonSubTypes.Type(value = WaitReason.LacksGpus.class, name = "lacks-gpus"),
  @JsonSubTypes.Type(value = WaitReason.NoRoomOnGpus.class, name = "no-room-on-gpus"),
  @JsonSubTypes.Type(value = WaitReason.GpusHeldByOthers.class, name = "gpus-held-by-others"),
  @JsonSubTypes.Type(value = WaitReason.GpusDraining.class, name = "gpus-draining"),
  @JsonSubTypes.Type(value = WaitReason.GpusOccupied.class, name = "gpus-occupied"),
  @JsonSubTypes.Type(value = WaitReason.GpusResting.class, name = "gpus-resting"),
  @JsonSubTypes.Type(value = WaitReason.OnlySlices.class, name = "only-slices"),
  @JsonSubTypes.Type(value = WaitReason.TooFewFreeGpus.class, name = "too-few-free-gpus"),
  @JsonSubTypes.Type(value = WaitReason.TooLittleGpuMemory.class, name = "too-little-gpu-memory"),
  @JsonSubTypes.Type(value = WaitReason.TooManyOnGpus.class, name = "too-many-on-gpus"),
  @JsonSubTypes.Type(value = WaitReason.GpusTooBusy.class, name = "gpus-too-busy"),
  @JsonSubTypes.Type(value = WaitReason.SlowTogether.class, name = "slow-together"),
  @JsonSubTypes.Type(value = WaitReason.TooManyTasks.class, name = "too-many-tasks"),
  @JsonSubTypes.Type(value = WaitReason.TooFewFreeCpus.class, name = "too-few-free-cpus"),
  @JsonSubTypes.Type(value = WaitReason.TooLittleMemory.class, name = "too-little-memory"),
  @JsonSubTypes.Type(value = WaitReason.HeldForOther.class, name = "held-for-other")
})
public sealed interface WaitReason {

  /** Returns the name of its kind, as in JSON: {@code no-room-on-gpus}. */
  default String label() {
    return getClass().getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  /** A reason that concerns one node. */
  sealed interface OfNode extends WaitReason {
    /** Its name. */
    String node();
  }

  /** No node has joined. */
  record NoNodes() implements WaitReason {}

  /** Its user has put it on hold. */
  record OnHold() implements WaitReason {}

  /** A dependency is not met yet. */
  record AfterJob(JobDependency dependency) implements WaitReason {}

  /** None of these dependencies, of which one is enough, is met yet; in order, two or more. */
  record AfterOneOf(List<JobDependency> dependencies) implements WaitReason {
    public AfterOneOf {
      dependencies = List.copyOf(dependencies);
    }

    /** Returns the reason with the dependencies in the order of the jobs' numbers. */
    public static AfterOneOf of(Collection<JobDependency> dependencies) {
      return new AfterOneOf(
          dependencies.stream()
              .sorted(Comparator.comparing(JobDependency::job).thenComparing(JobDependency::when))
              .toList());
    }
  }

  /** It may not begin before a time, in milliseconds since 1970. */
  record BeginsLater(long atMillis) implements WaitReason {}

  /** It is retried after a delay. */
  record PauseBeforeRetry(long millis) implements WaitReason {}

  /** Its type is being measured on another task. */
  record TypeMeasured(String type, TaskId task) implements WaitReason {}

  /**
   * Running tasks have been asked to leave their places for it.
   *
   * @param tasks those that have not left yet, in order
   * @param mostSeconds how long they may take from when they were asked
   */
  record OthersLeave(List<TaskId> tasks, long mostSeconds) implements WaitReason {
    public OthersLeave {
      tasks = List.copyOf(tasks);
    }
  }

  /** The maximum number of tasks of the server have a place. */
  record TooManyPlaced(int most) implements WaitReason {}

  /** All tasks of the job have to start together, and only {@code placeable} of them fit. */
  record GangIncomplete(int wanted, int placeable) implements WaitReason {}

  /** Its gang starts again once so many other members have left their places. */
  record MembersLeave(int members) implements WaitReason {}

  /** Of its job or role, as many tasks have places as may run at once. */
  record EnoughRunning(int most) implements WaitReason {}

  /**
   * The server ends with its Slurm job before the task's time limit has passed.
   *
   * @param atMillis when it ends, in milliseconds since 1970
   */
  record ServerEndsBefore(long atMillis, long limitMillis) implements WaitReason {}

  /**
   * The user may not have more at once.
   *
   * @param what is limited: GPUs, CPUs or tasks
   */
  record UserLimit(String user, String what, double limit, double has, double wanted)
      implements WaitReason {}

  /** The node does not answer. */
  record NodeSilent(String node) implements OfNode {}

  /** The node gets no more tasks; {@code why} is for people, null if no reason is given. */
  record NodeDraining(String node, String why) implements OfNode {}

  /**
   * Something that tasks need does not respond there, such as a disk; {@code since} is in
   * milliseconds since 1970.
   */
  record NodeStandsStill(String node, String what, long since) implements OfNode {}

  /** Several tasks in a row could not begin there; it is tried again after a pause. */
  record NodeAvoided(String node, int failures, String cause, long pauseMillis) implements OfNode {}

  /** The task names the nodes that it may run on, and this is none of them. */
  record NotNamed(String node, List<String> only) implements OfNode {
    public NotNamed {
      only = List.copyOf(only);
    }
  }

  /** The task must not run on this node. */
  record Excluded(String node) implements OfNode {}

  /** The task wants more of a counted resource than other tasks leave of the node's total. */
  record TooFewCounted(String node, String resource, long wanted, long free, long total)
      implements OfNode {}

  /** The task wants more of a counted resource than other tasks leave of the cluster's total. */
  record TooFewInCluster(String resource, long wanted, long free, long total)
      implements WaitReason {}

  /** These tasks hold a counted resource that the task lacks; in order, not empty. */
  record CountedHeldBy(String resource, List<TaskId> tasks) implements WaitReason {
    public CountedHeldBy {
      tasks = List.copyOf(tasks);
    }
  }

  /** The node has another value for the label; {@code has} is null if it has none. */
  record LacksLabel(String node, String label, String wanted, String has) implements OfNode {}

  /** The node has too few devices of the model. */
  record LacksModel(String node, String wanted, List<String> models) implements OfNode {
    public LacksModel {
      models = List.copyOf(models);
    }
  }

  /** The task can use particular devices only, and the node lacks {@code devices} of these. */
  record LacksGpus(String node, List<DeviceId> devices) implements OfNode {
    public LacksGpus {
      devices = List.copyOf(devices);
    }
  }

  /** The task can use particular devices only, and {@code devices} of these have no capacity. */
  record NoRoomOnGpus(String node, List<DeviceId> devices) implements OfNode {
    public NoRoomOnGpus {
      devices = List.copyOf(devices);
    }
  }

  /** Processes outside this server's tasks hold these devices; {@code by} names one, for people. */
  record GpusHeldByOthers(String node, List<DeviceId> devices, String by) implements OfNode {
    public GpusHeldByOthers {
      devices = List.copyOf(devices);
    }
  }

  /**
   * These devices, which the task could use, get no more tasks; {@code why} is for people, null if
   * no reason is given.
   */
  record GpusDraining(String node, List<DeviceId> devices, String why) implements OfNode {
    public GpusDraining {
      devices = List.copyOf(devices);
    }
  }

  /**
   * Processes of no task use too much of a device that the task could have as a whole.
   *
   * @param bytes that they use, of which so many are {@code tolerated}
   * @param processes the largest of them first; empty if the driver lists none
   */
  record GpusOccupied(
      String node, DeviceId device, long bytes, long tolerated, List<DeviceProcess> processes)
      implements OfNode {
    public GpusOccupied {
      processes = List.copyOf(processes);
    }
  }

  /** Programs failed on the device one after the other; it rests, and is tried again. */
  record GpusResting(String node, DeviceId device, GpuRest rest) implements OfNode {}

  /**
   * The node has {@code total} of the wanted GPUs; its other devices are slices (MIG), which are
   * lent only to tasks that ask for one.
   */
  record OnlySlices(String node, int wanted, int total, List<String> models) implements OfNode {
    public OnlySlices {
      models = List.copyOf(models);
    }
  }

  /** The task wants more devices than are free. */
  record TooFewFreeGpus(String node, int wanted, int free, int total) implements OfNode {}

  /** Too few devices have {@code wanted} bytes left; {@code mostFree} is the most that one has. */
  record TooLittleGpuMemory(
      String node, long wanted, int wantedGpus, int fittingGpus, long mostFree, long largest)
      implements OfNode {}

  /** Too few devices take one more task within the {@code perGpu} limits of all tasks. */
  record TooManyOnGpus(String node, int wanted, int taking) implements OfNode {}

  /** Too few devices are idle enough for a task that keeps one busy for {@code percent}. */
  record GpusTooBusy(String node, int wanted, int taking, int percent) implements OfNode {}

  /**
   * There is capacity only on devices with a task of a type that it must not share a device with:
   * together they reach only {@code togetherPercent} of the speed of one alone.
   */
  record SlowTogether(String node, String type, int togetherPercent) implements OfNode {}

  /** The node has the maximum number of tasks. */
  record TooManyTasks(String node, int most) implements OfNode {}

  /** The task wants more thousandths of a core than other tasks leave. */
  record TooFewFreeCpus(String node, long wanted, long free, long total) implements OfNode {}

  /** The task wants more memory, in bytes, than other tasks leave of the node's total. */
  record TooLittleMemory(String node, long wanted, long free, long total) implements OfNode {}

  /** It would fit, but the free capacity is reserved for a job ahead of it. */
  record HeldForOther(String node, JobId job) implements OfNode {}
}
