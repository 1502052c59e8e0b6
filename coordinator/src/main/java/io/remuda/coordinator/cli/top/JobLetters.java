package io.remuda.coordinator.cli.top;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The letters of the jobs that have a part of a GPU. The letter follows from the job's number, so
 * that a job keeps it as others come and go; if it is taken, the job gets the next free one. With
 * more jobs than letters, some jobs share a letter.
 */
final class JobLetters {

  private static final int LETTERS = 26;

  private final Map<Long, Integer> places = new HashMap<>();

  private JobLetters() {}

  static JobLetters of(List<TopScreenData.Gpu> gpus) {
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

  /** Returns the index of a job's letter, from 0; -1 for a job without a GPU. */
  int place(long job) {
    return places.getOrDefault(job, -1);
  }

  /** Returns a job's letter in upper case; a blank for a job without a GPU. */
  char letter(long job) {
    int place = place(job);
    return place < 0 ? ' ' : (char) ('A' + place);
  }
}
