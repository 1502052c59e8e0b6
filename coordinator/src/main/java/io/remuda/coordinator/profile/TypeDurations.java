package io.remuda.coordinator.profile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How long tasks take, by their types, which are kept in the {@linkplain Profiles profiles}; for a
 * type without runs, by all types of its user, and else by all of the cluster. Single-threaded.
 */
public final class TypeDurations {

  /**
   * Maximum number of types that are known, the least recently used is forgotten: names of input
   * files may make each command a type of its own.
   */
  static final int MOST_TYPES = 2000;

  private static final int MOST_USERS = 1000;

  /** A type with fewer runs is not stored: most of these never come again. */
  static final int STORED_FROM = 3;

  /** After so many further runs what is stored is renewed. */
  private static final int STORED_EACH = 8;

  /** The runs of a type, with what is asked often of them. */
  private static final class Known {
    private final RunTimes times;
    private OptionalLong surely;
    private OptionalLong usual;

    Known(RunTimes times) {
      this.times = times;
    }

    private OptionalLong surely() {
      surely = surely == null ? times.surely() : surely;
      return surely;
    }

    private OptionalLong usual() {
      usual = usual == null ? times.usual() : usual;
      return usual;
    }
  }

  private static final Known NOTHING = new Known(RunTimes.NONE);

  private final Profiles profiles;
  private final Map<JobType, Known> ofTypes = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<JobType, Integer> unstored = new LinkedHashMap<>();
  private final Map<String, RunTimes> ofUsers = new LinkedHashMap<>(16, 0.75f, true);
  private RunTimes ofAll = RunTimes.NONE;

  TypeDurations(Profiles profiles) {
    this.profiles = profiles;
  }

  /**
   * Takes over what the profiles know. They do not say when a run was, so the newest of each type
   * count as the newest of their user.
   */
  void restore(Iterable<Profile> known) {
    for (Profile profile : known) {
      if (profile.times().count() > 0) {
        ofTypes.put(profile.type(), new Known(profile.times()));
      }
    }
    for (int newer = RunTimes.WINDOW; newer >= 1; newer--) {
      for (Profile profile : known) {
        List<Long> millis = profile.times().millis();
        if (newer <= millis.size()) {
          alsoOf(profile.type().user(), millis.get(millis.size() - newer));
        }
      }
    }
    forgetOldest();
  }

  /** Adds a task that has succeeded. */
  public void ran(JobType type, long millis) {
    change(type, known(type).times.ran(millis));
    alsoOf(type.user(), millis);
  }

  private void alsoOf(String user, long millis) {
    ofUsers.merge(user, RunTimes.NONE.ran(millis), (before, one) -> before.ran(millis));
    if (ofUsers.size() > MOST_USERS) {
      ofUsers.remove(ofUsers.keySet().iterator().next());
    }
    ofAll = ofAll.ran(millis);
  }

  /** Notes that a task of a type has delayed a job that it was let past because of its type. */
  public void doubted(JobType type) {
    change(type, known(type).times.doubted());
    store(type);
  }

  private void change(JobType type, RunTimes times) {
    ofTypes.put(type, new Known(times));
    int news = unstored.merge(type, 1, Integer::sum);
    if (times.count() >= STORED_FROM && (times.count() <= STORED_EACH || news >= STORED_EACH)) {
      store(type);
    }
    forgetOldest();
  }

  private void store(JobType type) {
    unstored.remove(type);
    Profile profile = profiles.of(type).orElse(Profile.unknown(type));
    profiles.put(profile.taking(ofTypes.get(type).times));
  }

  private void forgetOldest() {
    while (ofTypes.size() > MOST_TYPES) {
      JobType oldest = ofTypes.keySet().iterator().next();
      Optional<Profile> profile = profiles.of(oldest);
      if (profile.isPresent() && profile.get().isOfTimesOnly()) {
        profiles.forget(oldest);
      } else {
        profile.ifPresent(one -> profiles.put(one.taking(RunTimes.NONE)));
        forget(oldest);
      }
    }
  }

  /** Forgets a type, whose profile is deleted by the caller. */
  void forget(JobType type) {
    ofTypes.remove(type);
    unstored.remove(type);
  }

  private Known known(JobType type) {
    return ofTypes.getOrDefault(type, NOTHING);
  }

  /**
   * Returns the milliseconds after which a task of a type has very likely ended; only by its own
   * type, and empty if there are too few runs.
   */
  public OptionalLong surely(JobType type) {
    return known(type).surely();
  }

  /**
   * Returns the milliseconds that a task of a type takes on, as likely longer as shorter.
   *
   * @param ran how long it has run, 0 or more
   * @return empty if nothing has ended yet
   */
  public OptionalLong left(JobType type, long ran) {
    RunTimes own = known(type).times;
    if (own.count() > 0) {
      return own.leftAfter(ran);
    }
    RunTimes users = ofUsers.getOrDefault(type.user(), RunTimes.NONE);
    return (users.count() > 0 ? users : ofAll).leftAfter(ran);
  }

  /**
   * Returns the milliseconds that a task of a type takes, as likely longer as shorter; only by its
   * own type.
   */
  public OptionalLong usual(JobType type) {
    return known(type).usual();
  }

  /** Returns how many types are known. */
  int types() {
    return ofTypes.size();
  }
}
