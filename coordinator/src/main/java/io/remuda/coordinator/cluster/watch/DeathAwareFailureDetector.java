package io.remuda.coordinator.cluster.watch;

import com.typesafe.config.Config;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.Address;
import org.apache.pekko.event.EventStream;
import org.apache.pekko.remote.PhiAccrualFailureDetector;

/**
 * Pekko's failure detector, which besides learns at once of a member whose process is known to be
 * dead. Pekko removes a member that was downed only when it is unreachable, and would wait for its
 * heartbeats until then. Thread-safe.
 */
public final class DeathAwareFailureDetector extends PhiAccrualFailureDetector {

  /** A death that nobody takes back is forgotten after this. */
  private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Monotonic time at which a member was found dead, by its address; Pekko makes detectors. */
  private static final Map<String, Long> DEAD = new ConcurrentHashMap<>();

  private volatile String address = "";

  /** Creates a detector; called by Pekko. */
  public DeathAwareFailureDetector(Config config, EventStream events) {
    super(config, events);
  }

  /** The process at an address is dead. */
  static void dead(Address address) {
    DEAD.put(address.toString(), System.nanoTime());
  }

  /** Another process may be at an address from now on. */
  static void forget(Address address) {
    DEAD.remove(address.toString());
  }

  @Override
  public void setAddress(String watched) {
    super.setAddress(watched);
    address = watched;
  }

  @Override
  public boolean isAvailable() {
    Long since = DEAD.get(address);
    return (since == null || System.nanoTime() - since >= FORGOTTEN_NANOS) && super.isAvailable();
  }
}
