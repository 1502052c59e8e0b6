package io.remuda.coordinator.profile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The profiles of all types that anything is known of. One thread. */
public final class Profiles {

  private final Map<JobType, Profile> known = new HashMap<>();
  private final Map<JobType, Optional<Profile>> changed = new LinkedHashMap<>();
  private final SlowPairs slowPairs = new SlowPairs();

  /** Takes over what a store has. */
  public void restore(Collection<Profile> profiles) {
    profiles.forEach(profile -> known.put(profile.type(), profile));
    profiles.forEach(profile -> slowPairs.look(profile, known::get));
  }

  /** What is known of a type; nothing if nothing is. */
  public Optional<Profile> of(JobType type) {
    return Optional.ofNullable(known.get(type));
  }

  /** From now on this is known of its type. */
  public void put(Profile profile) {
    known.put(profile.type(), profile);
    slowPairs.look(profile, known::get);
    changed.put(profile.type(), Optional.of(profile));
  }

  /**
   * Types that are not to share a device: by type those beside which it is slow, with what both
   * reach together, in percent of the speed of one alone.
   */
  public Map<JobType, Map<JobType, Integer>> slowTogether() {
    return slowPairs.slow();
  }

  /**
   * Whether there was one; the next task of the type is measured again, and so is how fast it and
   * others are beside each other.
   */
  public boolean forget(JobType type) {
    boolean there = known.remove(type) != null;
    if (there) {
      changed.put(type, Optional.empty());
      slowPairs.forget(type);
      List.copyOf(known.values()).stream()
          .filter(other -> other.speeds().speedBeside(type).isPresent())
          .forEach(other -> put(other.without(type)));
    }
    return there;
  }

  /** A profile that is another one now, or is none any more. */
  public record Change(JobType type, Optional<Profile> profile) {}

  /** What has changed since this was last asked. */
  public List<Change> takeChanges() {
    List<Change> all = new ArrayList<>();
    changed.forEach((type, profile) -> all.add(new Change(type, profile)));
    changed.clear();
    return all;
  }
}
