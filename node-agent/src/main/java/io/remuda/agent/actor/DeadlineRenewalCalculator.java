package io.remuda.agent.actor;

import io.remuda.agent.clock.ContactDeadline;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes the contact deadlines that the agent sends to the keeper. Tied tasks get the rest of the
 * agent's own deadline, the others theirs. No side effects.
 */
final class DeadlineRenewalCalculator {

  private DeadlineRenewalCalculator() {}

  /**
   * Returns the renewals to send now. They include tasks without a deadline: a keeper that gets no
   * requests could be stuck unnoticed.
   *
   * @param keyPrefix prefix of the keys of this node's tasks in the keeper
   * @param now time of the contact deadline's clock
   */
  static List<KeeperConnectionActor.Renew> of(
      List<Kept> tasks, ContactDeadline contactDeadline, String keyPrefix, long now) {
    List<String> tied = new ArrayList<>();
    Map<Long, List<String>> leased = new TreeMap<>();
    for (Kept task : tasks) {
      String key = keyPrefix + task.attempt();
      if (task.tied()) {
        tied.add(key);
      } else if (!contactDeadline.expired(now)) {
        leased.computeIfAbsent(task.contactMillis(), millis -> new ArrayList<>()).add(key);
      }
    }
    List<KeeperConnectionActor.Renew> renewals = new ArrayList<>();
    if (!tied.isEmpty()) {
      // 0 would take the deadline away: one that has just passed ends the tasks at once
      long remaining = Math.max(1, contactDeadline.remainingMillis(now));
      renewals.add(new KeeperConnectionActor.Renew(tied, remaining));
    }
    leased.forEach((millis, keys) -> renewals.add(new KeeperConnectionActor.Renew(keys, millis)));
    return renewals;
  }
}
