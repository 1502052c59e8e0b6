package io.remuda.coordinator.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the epochs of a type's trainings took, by model and number of GPUs.
 *
 * @param measured the newest measurement is last
 * @param restartMillis what a start costs until the first epoch begins; 0 if unknown
 */
public record EpochSpeeds(List<EpochTime> measured, long restartMillis) {

  /** Those of a type without epochs. */
  public static final EpochSpeeds NONE = new EpochSpeeds(List.of(), 0);

  /** Most combinations of model and number that are kept. */
  private static final int MOST = 50;

  /** Weight of a new measurement against the mean of the earlier ones. */
  private static final double WEIGHT = 0.5;

  /**
   * The epochs on one model and number of GPUs.
   *
   * @param model of the GPUs, empty for none
   * @param gpus number of GPUs
   * @param epochs number of epochs that were measured
   * @param millis mean duration; newer ones count more
   * @param stepSeconds newest mean duration of a step, or null
   * @param gpuMiB most memory of one GPU in MiB, or null
   * @param utilPercent newest mean utilisation of the GPUs, or null
   */
  public record EpochTime(
      String model,
      int gpus,
      long epochs,
      long millis,
      Double stepSeconds,
      Long gpuMiB,
      Integer utilPercent) {

    private EpochTime and(EpochTime newer) {
      Long most =
          gpuMiB == null || newer.gpuMiB == null
              ? (gpuMiB == null ? newer.gpuMiB : gpuMiB)
              : Long.valueOf(Math.max(gpuMiB, newer.gpuMiB));
      return new EpochTime(
          model,
          gpus,
          epochs + newer.epochs,
          Math.round(millis + WEIGHT * (newer.millis - millis)),
          newer.stepSeconds == null ? stepSeconds : newer.stepSeconds,
          most,
          newer.utilPercent == null ? utilPercent : newer.utilPercent);
    }
  }

  public EpochSpeeds {
    measured = List.copyOf(measured);
  }

  /** Returns the measurements on a model and number of GPUs. */
  public Optional<EpochTime> of(String model, int gpus) {
    return measured.stream()
        .filter(one -> one.model().equals(model) && one.gpus() == gpus)
        .findFirst();
  }

  /** Returns the speeds after a further epoch. */
  EpochSpeeds and(EpochTime newer) {
    List<EpochTime> all = new ArrayList<>(measured);
    Optional<EpochTime> before = of(newer.model(), newer.gpus());
    before.ifPresent(all::remove);
    all.add(before.map(known -> known.and(newer)).orElse(newer));
    return new EpochSpeeds(all.subList(Math.max(0, all.size() - MOST), all.size()), restartMillis);
  }

  /** Returns the speeds after a start that took this time until its first epoch began. */
  EpochSpeeds started(long millis) {
    return new EpochSpeeds(measured, restartMillis == 0 ? millis : (restartMillis + millis) / 2);
  }
}
