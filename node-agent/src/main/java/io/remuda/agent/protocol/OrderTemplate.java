package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.Workload;
import io.remuda.worker.job.sweep.TaskParameters;
import java.util.List;
import java.util.Objects;

/**
 * What the orders of a job have in common. It travels once over a connection for many orders. The
 * fields are as in {@link TaskOrder}.
 *
 * @param number on its connection, from 1
 */
public record OrderTemplate(
    int number,
    String user,
    boolean tied,
    long contactMillis,
    Workload workload,
    int threads,
    TaskOrder.JobFacts job,
    @JsonInclude(JsonInclude.Include.NON_NULL) TaskOrder.Ending ending) {

  private static final long SMALL = 500;

  /** An order without what is in its template. */
  public record ShortOrder(
      AttemptId attempt,
      int template,
      List<DeviceId> devices,
      boolean cuda,
      long slot,
      @JsonInclude(JsonInclude.Include.NON_NULL) TaskOrder.Training training,
      @JsonInclude(JsonInclude.Include.NON_NULL) TaskParameters parameters) {
    public ShortOrder {
      Objects.requireNonNull(attempt, "attempt");
      devices = List.copyOf(devices);
    }

    static ShortOrder of(TaskOrder order, int template) {
      return new ShortOrder(
          order.attempt(),
          template,
          order.devices(),
          order.cuda(),
          order.slot(),
          order.training(),
          order.parameters());
    }
  }

  public OrderTemplate {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(job, "job");
  }

  static OrderTemplate of(TaskOrder order, int number) {
    return new OrderTemplate(
        number,
        order.user(),
        order.tied(),
        order.contactMillis(),
        order.workload(),
        order.threads(),
        order.job(),
        order.ending());
  }

  /** Returns whether an order has this in common; workloads are compared by identity. */
  boolean fits(TaskOrder order) {
    return workload == order.workload()
        && job.equals(order.job())
        && user.equals(order.user())
        && tied == order.tied()
        && contactMillis == order.contactMillis()
        && threads == order.threads()
        && Objects.equals(ending, order.ending());
  }

  /** Returns the template with this object as the start of its gang, if it is equal. */
  OrderTemplate sharing(GangStart start) {
    return start == null || !start.equals(job.start())
        ? this
        : new OrderTemplate(
            number,
            user,
            tied,
            contactMillis,
            workload,
            threads,
            new TaskOrder.JobFacts(
                job.uuid(), job.name(), job.tasks(), job.request(), job.gang(), start),
            ending);
  }

  /** Returns the whole order. */
  TaskOrder order(ShortOrder own) {
    return new TaskOrder(
        own.attempt(),
        user,
        tied,
        contactMillis,
        workload,
        own.devices(),
        threads,
        own.cuda(),
        job,
        own.slot(),
        ending,
        own.training(),
        own.parameters());
  }

  /** Returns about how many bytes it takes. */
  long size() {
    return workload instanceof CommandWorkload command ? SMALL + command.size() : SMALL;
  }
}
