package io.remuda.coordinator.schedule.order;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The order policies by name. */
public enum OrderPolicies {
  FIFO(new FifoOrder()),
  BACKFILL(new BackfillOrder()),
  FAIR(new FairOrder()),
  LEVELS(new LevelsOrder()),
  SHORTEST(new ShortestOrder()),
  LEARNED(new LearnedOrder()),
  EXPECTED(new ExpectedOrder());

  private final OrderPolicy policy;

  OrderPolicies(OrderPolicy policy) {
    this.policy = policy;
  }

  /** Returns the policy. */
  public OrderPolicy policy() {
    return policy;
  }

  /**
   * Returns the policy with a name.
   *
   * @param option that gives it, for the message
   * @throws IllegalArgumentException if there is none; the message names all
   */
  public static OrderPolicies parse(String name, String option) {
    for (OrderPolicies one : values()) {
      if (one.toString().equalsIgnoreCase(name)) {
        return one;
      }
    }
    String all =
        Arrays.stream(values()).map(OrderPolicies::toString).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(option + " must be one of " + all + ", got '" + name + "'");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
