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
 * fields are as in {@link TaskStartOrder}.
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
    TaskStartOrder.JobFacts job,
    @JsonInclude(JsonInclude.Include.NON_NULL) TaskStartOrder.Ending ending) {

  private static final long SMALL = 500;

  /** An order without what is in its template. */
  public record ShortOrder(
      AttemptId attempt,
      int template,
      List<DeviceId> devices,
      boolean cuda,
      long slot,
      @JsonInclude(JsonInclude.Include.NON_NULL) TaskStartOrder.Training training,
      @JsonInclude(JsonInclude.Include.NON_NULL) TaskParameters parameters) {
    public ShortOrder {
      Objects.requireNonNull(attempt, "attempt");
      devices = List.copyOf(devices);
    }

    static ShortOrder of(TaskStartOrder order, int template) {
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

  static OrderTemplate of(TaskStartOrder order, int number) {
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
  boolean fits(TaskStartOrder order) {
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
            new TaskStartOrder.JobFacts(
                job.uuid(),
                job.name(),
                job.tasks(),
                job.request(),
                job.gang(),
                start,
                job.numbered(),
                job.earlierTries()),
            ending);
  }

  /** Returns the whole order. */
  TaskStartOrder order(ShortOrder own) {
    return new TaskStartOrder(
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
