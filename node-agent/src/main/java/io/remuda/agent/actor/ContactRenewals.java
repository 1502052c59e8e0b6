package io.remuda.agent.actor;

import io.remuda.agent.contact.ContactDeadline;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long the keeper may let tasks run without another word of the agent, pure: those that are
 * tied for what is left of the agent's own lease, the others for theirs.
 */
final class ContactRenewals {

  private ContactRenewals() {}

  /**
   * What to tell the keeper now. Tasks without a lease are named, too: a keeper that is asked
   * nothing could be stuck unnoticed.
   *
   * @param keyPrefix of the names by which the keeper knows this node's tasks
   * @param now on the lease's clock
   */
  static List<KeeperPort.Renew> of(
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
    List<KeeperPort.Renew> renewals = new ArrayList<>();
    if (!tied.isEmpty()) {
      renewals.add(new KeeperPort.Renew(tied, contactDeadline.remainingMillis(now)));
    }
    leased.forEach((millis, keys) -> renewals.add(new KeeperPort.Renew(keys, millis)));
    return renewals;
  }
}
