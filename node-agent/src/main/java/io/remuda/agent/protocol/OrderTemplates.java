package io.remuda.agent.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The templates of one connection, on the side that sends orders or on the side that receives them.
 * Both add the same templates in the same order and so drop the same: the oldest, when there are
 * too many or they are too large. Single-threaded.
 */
final class OrderTemplates {

  private static final int MOST = 32;
  private static final long MOST_BYTES = 1 << 20;

  private final Map<Integer, OrderTemplate> byNumber = new LinkedHashMap<>();

  /** The newest template of each job; some may have been dropped. */
  private final Map<UUID, OrderTemplate> newest = new HashMap<>();

  private long bytes;
  private int lastNumber;

  private void add(OrderTemplate template) {
    byNumber.put(template.number(), template);
    newest.put(template.job().uuid(), template);
    bytes += template.size();
    while (byNumber.size() > 1 && (byNumber.size() > MOST || bytes > MOST_BYTES)) {
      OrderTemplate oldest = byNumber.remove(byNumber.keySet().iterator().next());
      newest.remove(oldest.job().uuid(), oldest);
      bytes -= oldest.size();
    }
  }

  /** Returns the message to send instead: what was sent before is not repeated. */
  CoordinatorMessage shorten(CoordinatorMessage message) {
    if (!(message instanceof CoordinatorMessage.Desired desired) || desired.tasks().isEmpty()) {
      return message;
    }
    List<OrderTemplate> fresh = new ArrayList<>();
    List<OrderTemplate.ShortOrder> orders = new ArrayList<>(desired.tasks().size());
    for (TaskStartOrder order : desired.tasks()) {
      OrderTemplate template = newest.get(order.job().uuid());
      if (template == null || !template.fits(order)) {
        template = OrderTemplate.of(order, ++lastNumber);
        fresh.add(template);
        add(template);
      }
      orders.add(OrderTemplate.ShortOrder.of(order, template.number()));
    }
    return new CoordinatorMessage.DesiredByTemplate(
        desired.epoch(),
        desired.revision(),
        desired.sampling(),
        fresh,
        orders,
        desired.kept(),
        desired.leaving());
  }

  /**
   * Returns a template with the start of its gang as another one has it, which may be large and
   * comes with each role.
   */
  private OrderTemplate shared(OrderTemplate template, Map<Integer, OrderTemplate> fresh) {
    OrderTemplate other =
        fresh.getOrDefault(template.number() - 1, newest.get(template.job().uuid()));
    return other == null ? template : template.sharing(other.job().start());
  }

  /**
   * Returns the message that was shortened.
   *
   * @throws UncheckedIOException if it names a template that was not sent
   */
  CoordinatorMessage complete(CoordinatorMessage message) {
    if (!(message instanceof CoordinatorMessage.DesiredByTemplate shortened)) {
      return message;
    }
    Map<Integer, OrderTemplate> fresh = new HashMap<>();
    shortened
        .templates()
        .forEach(template -> fresh.put(template.number(), shared(template, fresh)));
    List<TaskStartOrder> orders = new ArrayList<>(shortened.orders().size());
    for (OrderTemplate.ShortOrder order : shortened.orders()) {
      OrderTemplate template = fresh.getOrDefault(order.template(), byNumber.get(order.template()));
      if (template == null) {
        throw new UncheckedIOException(
            new IOException(order.attempt() + ": template " + order.template() + " is unknown"));
      }
      orders.add(template.order(order));
    }
    shortened
        .templates()
        .forEach(
            one -> add(fresh.get(one.number()))); // after the orders, which may name older ones
    return new CoordinatorMessage.Desired(
        shortened.epoch(),
        shortened.revision(),
        shortened.sampling(),
        orders,
        shortened.kept(),
        shortened.leaving());
  }
}
