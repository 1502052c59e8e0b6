package io.remuda.coordinator.service;

/** A job that is to be cancelled: it saves its work then. */
final class SavingJob {

  private SavingJob() {}

  /**
   * The line of a job that makes a file {@code ready}. Asked to end, it does what it is to do
   * first, makes a file {@code saved}, and ends with 7.
   */
  static String saves(String first) {
    return "save() { "
        + first
        + "; cp ready draft; mv draft saved; exit 7; }; trap save TERM;"
        + " touch ready; while :; do sleep 0.1; done";
  }
}
