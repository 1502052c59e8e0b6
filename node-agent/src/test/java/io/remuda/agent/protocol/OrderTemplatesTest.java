package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.DesiredByTemplate;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TrainingTerms;
import io.remuda.worker.job.Workload;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What orders have in common travels once over a connection. */
class OrderTemplatesTest {

  private final OrderTemplates sender = new OrderTemplates();
  private final OrderTemplates receiver = new OrderTemplates();

  private static CommandWorkload command(String argument) {
    return new CommandWorkload(List.of("true", argument), Map.of("A", "b"), "/", 022);
  }

  private static TaskStartOrder order(String attempt, Workload workload, double cpus) {
    AttemptId id = AttemptId.parse(attempt);
    long job = id.task().job().value();
    return new TaskStartOrder(
        id,
        "ann",
        false,
        0,
        workload,
        List.of(new DeviceId("GPU-" + id.task().index())),
        1,
        true,
        new TaskStartOrder.JobFacts(new UUID(0, job), "job", 9, new ResourceRequest(cpus, 0)),
        7,
        new TaskStartOrder.Ending(30_000, 0, 0),
        new TaskStartOrder.Training(TrainingTerms.of(9), id.task().index(), 0));
  }

  private static Desired desired(TaskStartOrder... orders) {
    return new Desired(1, 2, true, List.of(orders));
  }

  /** Sends a message through the codec as a connection does; returns how it travelled. */
  private DesiredByTemplate travels(Desired message) {
    CoordinatorMessage shortened = sender.shorten(message);
    CoordinatorMessage arrived =
        WireCodec.decode(WireCodec.encode(shortened), CoordinatorMessage.class);
    assertEquals(message, receiver.complete(arrived));
    return assertInstanceOf(DesiredByTemplate.class, shortened);
  }

  @Test
  void the_orders_of_a_job_share_one_template_over_all_messages() {
    CommandWorkload command = command("a");
    DesiredByTemplate first =
        travels(desired(order("1.0.1", command, 1), order("1.1.1", command, 1)));
    assertEquals(1, first.templates().size());
    assertEquals(List.of(), travels(desired(order("1.2.1", command, 1))).templates());
  }

  @Test
  void a_task_that_needs_more_than_others_of_its_job_has_a_template_of_its_own() {
    CommandWorkload command = command("a");
    travels(desired(order("1.0.1", command, 1)));
    assertEquals(1, travels(desired(order("1.1.1", command, 2))).templates().size());
  }

  @Test
  void tasks_of_one_job_with_other_workloads_have_other_templates() {
    DesiredByTemplate message =
        travels(desired(order("1.0.1", command("a"), 1), order("1.1.1", command("b"), 1)));
    assertEquals(2, message.templates().size());
  }

  /** It is large, and an agent has little memory. */
  @Test
  void the_start_of_a_gang_is_one_object_for_all_its_roles() {
    List<TaskStartOrder> arrived = new ArrayList<>();
    for (Desired message :
        List.of(
            desired(member("1.0.1", "a"), member("1.1.1", "b")), desired(member("1.2.1", "c")))) {
      CoordinatorMessage wire =
          WireCodec.decode(WireCodec.encode(sender.shorten(message)), CoordinatorMessage.class);
      arrived.addAll(((Desired) receiver.complete(wire)).tasks());
    }
    assertEquals(3, arrived.size());
    assertSame(arrived.get(0).job().start(), arrived.get(1).job().start());
    assertSame(arrived.get(0).job().start(), arrived.get(2).job().start());
  }

  private static TaskStartOrder member(String attempt, String role) {
    TaskStartOrder order = order(attempt, command(role), 1);
    TaskStartOrder.JobFacts job = order.job();
    GangStart start =
        new GangStart(1, 0, 20_000, List.of(new GangStart.Member("n1", "10.0.0.1", 1, List.of())));
    return new TaskStartOrder(
        order.attempt(),
        order.user(),
        order.tied(),
        0,
        order.workload(),
        List.of(),
        1,
        false,
        new TaskStartOrder.JobFacts(
            job.uuid(), job.name(), job.tasks(), job.request(), GangTerms.USUAL, start));
  }

  @Test
  void a_message_without_orders_travels_as_it_is() {
    Desired none = desired();
    assertSame(none, sender.shorten(none));
    assertSame(none, receiver.complete(none));
  }

  @Test
  void both_sides_forget_the_same_templates() {
    List<CommandWorkload> commands = new ArrayList<>();
    for (int job = 1; job <= 40; job++) {
      commands.add(command("c" + job));
      travels(desired(order(job + ".0.1", commands.get(job - 1), 1)));
    }
    assertEquals(1, travels(desired(order("1.1.1", commands.get(0), 1))).templates().size());
    assertEquals(List.of(), travels(desired(order("40.1.1", commands.get(39), 1))).templates());
  }

  @Test
  void more_templates_than_are_kept_may_be_in_one_message() {
    TaskStartOrder[] orders = new TaskStartOrder[100];
    for (int i = 0; i < orders.length; i++) {
      orders[i] = order((1 + i % 50) + "." + i + ".1", command("c" + i % 50), 1);
    }
    assertTrue(travels(desired(orders)).templates().size() >= 50);
  }

  @Test
  void an_order_of_a_template_that_was_not_sent_is_an_error() {
    DesiredByTemplate first =
        (DesiredByTemplate) sender.shorten(desired(order("1.0.1", command("a"), 1)));
    DesiredByTemplate stranger =
        new DesiredByTemplate(1, 2, true, List.of(), first.orders(), List.of(), List.of());
    assertThrows(UncheckedIOException.class, () -> receiver.complete(stranger));
  }
}
