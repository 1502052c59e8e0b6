package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskClass.Overtaking;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;

/** Builds a task class. */
public final class LineBuilder {
  private final JobId job;
  private final TaskSet tasks = new TaskSet();
  private int priority;
  private String user = "ann";
  private ResourceRequest needs = needs().request();
  private PlacementPolicy policy = PlacementPolicy.PACK;
  private long timeLimit;
  private boolean gang;
  private JobType type;
  private boolean again;
  private double charge = 1;
  private Overtaking overtaking = Overtaking.ALLOWED;

  LineBuilder(long job, int count) {
    this.job = new JobId(job);
    tasks.add(this.job, 0, count);
  }

  public LineBuilder priority(int value) {
    priority = value;
    return this;
  }

  public LineBuilder of(String name) {
    user = name;
    return this;
  }

  public LineBuilder need(NeedsBuilder what) {
    needs = what.request();
    return this;
  }

  public LineBuilder by(PlacementPolicy which) {
    policy = which;
    return this;
  }

  public LineBuilder limitMillis(long millis) {
    timeLimit = millis;
    return this;
  }

  /** Its tasks start all together. */
  public LineBuilder gang() {
    gang = true;
    return this;
  }

  public LineBuilder type(JobType which) {
    type = which;
    return this;
  }

  /** Its tasks have run out of memory before. */
  public LineBuilder again() {
    again = true;
    return this;
  }

  public LineBuilder charge(double eachTask) {
    charge = eachTask;
    return this;
  }

  /** Capacity is reserved for it if it does not fit. */
  public LineBuilder impatient() {
    overtaking = Overtaking.REFUSED;
    return this;
  }

  public TaskClass.SchedulingKey key() {
    Gang whole = gang ? new Gang(job, false, List.of()) : null;
    return new TaskClass.SchedulingKey(
        priority, user, needs, policy, timeLimit, whole, type, again, null);
  }

  public TaskClass line() {
    return new TaskClass(key(), tasks, charge, overtaking);
  }
}
