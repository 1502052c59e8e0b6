package io.remuda.coordinator.cli.top;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A letter for each job that has a part of a GPU: by its number, so that it keeps the letter as
 * others come and go, and the next free one where that is taken. With more jobs than letters some
 * have the same.
 */
final class JobLetters {

  private static final int LETTERS = 26;

  private final Map<Long, Integer> places = new HashMap<>();

  private JobLetters() {}

  static JobLetters of(List<TopPicture.Gpu> gpus) {
    TreeSet<Long> jobs = new TreeSet<>();
    gpus.forEach(gpu -> gpu.parts().forEach(part -> jobs.add(part.job())));
    JobLetters letters = new JobLetters();
    boolean[] taken = new boolean[LETTERS];
    for (long job : jobs) {
      int place = (int) (job % LETTERS);
      for (int tried = 0; tried < LETTERS && taken[place]; tried++) {
        place = (place + 1) % LETTERS;
      }
      taken[place] = true;
      letters.places.put(job, place);
    }
    return letters;
  }

  /** From 0; -1 for a job without a GPU. */
  int place(long job) {
    return places.getOrDefault(job, -1);
  }

  /** Upper case; a blank for a job without a GPU. */
  char letter(long job) {
    int place = place(job);
    return place < 0 ? ' ' : (char) ('A' + place);
  }
}
