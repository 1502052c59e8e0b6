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

  /** Takes over what a store has. */
  public void restore(Collection<Profile> profiles) {
    profiles.forEach(profile -> known.put(profile.type(), profile));
  }

  /** What is known of a type; nothing if nothing is. */
  public Optional<Profile> of(JobType type) {
    return Optional.ofNullable(known.get(type));
  }

  /** From now on this is known of its type. */
  public void put(Profile profile) {
    known.put(profile.type(), profile);
    changed.put(profile.type(), Optional.of(profile));
  }

  /** Whether there was one; the next task of the type is measured again. */
  public boolean forget(JobType type) {
    boolean there = known.remove(type) != null;
    if (there) {
      changed.put(type, Optional.empty());
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
