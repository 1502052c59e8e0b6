package io.remuda.coordinator.rest.view;

/** Says in words why nobody had a GPU. */
final class GapText {

  private GapText() {}

  /** Returns a reason without its job. */
  static String of(String reason) {
    return reason.replace('-', ' ').replace("gpu", "GPU").replace("cpu", "CPU");
  }

  /**
   * Returns a reason with its job.
   *
   * @param job that it was kept for or too little for; null for none
   * @param gpus that each task of the job wants; 0 if that is not known
   */
  static String of(String reason, Long job, int gpus) {
    String words = of(reason);
    if (job == null) {
      return words;
    }
    boolean kept = words.endsWith(" for");
    return words
        + (kept ? " job " : " for job ")
        + job
        + (kept || gpus == 0 ? "" : ", which needs " + gpus);
  }
}
