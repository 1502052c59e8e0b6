package io.remuda.coordinator.profile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The profiles of all known types. Single-threaded. */
public final class Profiles {

  private final Map<JobType, Profile> known = new HashMap<>();
  private final Map<JobType, Optional<Profile>> changed = new LinkedHashMap<>();
  private final SlowPairs slowPairs = new SlowPairs();
  private final TypeDurations durations = new TypeDurations(this);

  /** Computed when it is asked for; null after a change. */
  private List<Long> reservations;

  /** Adds the profiles from a store. */
  public void restore(Collection<Profile> profiles) {
    reservations = null;
    profiles.forEach(profile -> known.put(profile.type(), profile));
    profiles.forEach(profile -> slowPairs.look(profile, known::get));
    durations.restore(profiles);
  }

  /** Returns how long tasks of the types take. */
  public TypeDurations durations() {
    return durations;
  }

  /** Returns the profile of a type, empty if it has none. */
  public Optional<Profile> of(JobType type) {
    return Optional.ofNullable(known.get(type));
  }

  /** Returns what each type that has shown its needs is promised, in bytes of each device. */
  public Collection<Long> reservations() {
    if (reservations == null) {
      reservations =
          known.values().stream().filter(Profile::isKnown).map(Profile::reservation).toList();
    }
    return reservations;
  }

  /** Stores the profile of a type. */
  public void put(Profile profile) {
    reservations = null;
    known.put(profile.type(), profile);
    slowPairs.look(profile, known::get);
    changed.put(profile.type(), Optional.of(profile));
  }

  /**
   * Returns, by type, the types that must not share a device with it because both would be slow,
   * and their combined speed in percent of the speed of one alone.
   */
  public Map<JobType, Map<JobType, Integer>> slowTogether() {
    return slowPairs.slow();
  }

  /**
   * Deletes the profile of a type, so that its next task is measured again, and all speeds of other
   * types beside it.
   *
   * @return whether there was a profile
   */
  public boolean forget(JobType type) {
    reservations = null;
    boolean there = known.remove(type) != null;
    durations.forget(type);
    if (there) {
      changed.put(type, Optional.empty());
      slowPairs.forget(type);
      List.copyOf(known.values()).stream()
          .filter(other -> other.speeds().speedBeside(type).isPresent())
          .forEach(other -> put(other.without(type)));
    }
    return there;
  }

  /** A changed profile, or empty for a deleted one. */
  public record Change(JobType type, Optional<Profile> profile) {}

  /** Returns the changes since the last call. */
  public List<Change> takeChanges() {
    List<Change> all = new ArrayList<>();
    changed.forEach((type, profile) -> all.add(new Change(type, profile)));
    changed.clear();
    return all;
  }
}
