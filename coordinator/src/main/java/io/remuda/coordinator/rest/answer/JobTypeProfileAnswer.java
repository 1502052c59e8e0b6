package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.profile.EpochSpeeds;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.store.row.ProfileRow;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * What a type of jobs was measured to need of a GPU. What is unknown is null.
 *
 * @param runs number of good runs
 * @param reservationBytes what its next run gets
 * @param tooLittleBytes with which a run failed
 * @param gpuPercent mean utilisation of a GPU that it had to itself
 * @param unusedRuns number of the newest good runs in a row that used no memory of their GPU
 * @param nearlyAllPercent how much of a GPU its largest run took; null below 85
 * @param seconds duration of its newest good run
 * @param slowWith types with which it does not share a GPU
 * @param beside how fast it was beside other types on one GPU
 * @param epochs what epochs of its trainings took, by model and number of GPUs
 * @param updatedAt time
 */
public record JobTypeProfileAnswer(
    String type,
    String user,
    long runs,
    Long reservationBytes,
    Long medianBytes,
    Long p95Bytes,
    long mostBytes,
    Long tooLittleBytes,
    Integer gpuPercent,
    int unusedRuns,
    Integer nearlyAllPercent,
    Double seconds,
    List<SlowPair> slowWith,
    List<Beside> beside,
    List<Epoch> epochs,
    String updatedAt) {

  private static final double MEDIAN = 0.5;
  private static final double NEARLY_ALL = 0.95;
  private static final double MILLIS = 1000;

  /**
   * A type that is slow on the same GPU.
   *
   * @param togetherPercent how fast both are together, in percent of one after the other
   */
  public record SlowPair(String type, String user, int togetherPercent) {}

  /**
   * How fast runs of the type were beside one of another type.
   *
   * @param speedPercent its speed, in percent of that alone
   * @param otherPercent that of the other; null if it is not known
   */
  public record Beside(String type, String user, int speedPercent, Integer otherPercent) {}

  /**
   * What an epoch takes on a model and number of GPUs.
   *
   * @param model empty without a GPU
   * @param epochs number of epochs that were measured
   * @param millis mean duration of an epoch
   * @param stepSeconds mean duration of a step, or null, as the next two
   * @param gpuMiB most memory of one GPU
   * @param utilPercent mean utilisation of the GPUs
   */
  public record Epoch(
      String model,
      int gpus,
      long epochs,
      long millis,
      Double stepSeconds,
      Long gpuMiB,
      Integer utilPercent) {

    private static Epoch of(EpochSpeeds.EpochTime time) {
      return new Epoch(
          time.model(),
          time.gpus(),
          time.epochs(),
          time.millis(),
          time.stepSeconds(),
          time.gpuMiB(),
          time.utilPercent());
    }
  }

  /**
   * @param slowWith speed with other types in percent
   * @param others returns the profiles of other types
   */
  static JobTypeProfileAnswer of(
      ProfileRow row, Map<JobType, Integer> slowWith, Function<JobType, Optional<Profile>> others) {
    Profile profile = row.profile();
    boolean known = profile.isKnown();
    OptionalInt nearlyAll = profile.nearlyAllPercent();
    return new JobTypeProfileAnswer(
        profile.type().name(),
        profile.type().user(),
        profile.runs(),
        known ? profile.reservation() : null,
        known ? profile.quantile(MEDIAN) : null,
        known ? profile.quantile(NEARLY_ALL) : null,
        profile.most(),
        profile.floor() == 0 ? null : profile.floor(),
        profile.utilPercent(),
        profile.unusedRuns(),
        nearlyAll.isPresent() ? nearlyAll.getAsInt() : null,
        known ? profile.wallMillis() / MILLIS : null,
        slowWith(slowWith),
        beside(profile, others),
        profile.epochs().measured().stream().map(Epoch::of).toList(),
        JobAnswer.time(row.updated()));
  }

  private static List<Beside> beside(Profile profile, Function<JobType, Optional<Profile>> others) {
    return profile.speeds().besideAll().entrySet().stream()
        .map(
            one -> {
              OptionalInt back =
                  others
                      .apply(one.getKey())
                      .map(other -> other.speeds().speedBeside(profile.type()))
                      .orElse(OptionalInt.empty());
              return new Beside(
                  one.getKey().name(),
                  one.getKey().user(),
                  one.getValue(),
                  back.isPresent() ? back.getAsInt() : null);
            })
        .sorted(Comparator.comparing(Beside::type).thenComparing(Beside::user))
        .toList();
  }

  private static List<SlowPair> slowWith(Map<JobType, Integer> others) {
    return others.entrySet().stream()
        .map(other -> new SlowPair(other.getKey().name(), other.getKey().user(), other.getValue()))
        .sorted(Comparator.comparing(SlowPair::type).thenComparing(SlowPair::user))
        .toList();
  }
}
