package io.remuda.agent.training;

import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of a training: what it has told, and whether it is to leave at the end of an epoch.
 * Safe for use by several threads. Times are nanoseconds of one monotonic clock.
 */
final class RunningTraining {

  private static final long NANOS = 1_000_000;

  /** Longest wait for a decision. */
  private static final long MOST_WAIT_MILLIS = 500;

  private static final int PART_OF_EPOCH = 20;

  private final AttemptId attempt;
  private final Path folder;
  private TrainingNote note;

  /** What each question at the start of an epoch was answered, so that all ranks do the same. */
  private final Map<Integer, Boolean> answers = new HashMap<>();

  /** When it was launched; 0 if that was another agent's doing, or once its start is measured. */
  private long launchedAt;

  private long epochSince;

  /** Number of messages of this attempt about the end of an epoch, as far as this agent knows. */
  private int epochsHere;

  /** What is added to the time that an attempt can have taken: clocks are read at two places. */
  private static final long SLACK_MILLIS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(RunningTraining.class);

  private Double toldSeconds;
  private boolean leaving;
  private long leavingSince;

  /**
   * @param launchedAt when it is launched; 0 if an earlier agent has launched it
   */
  RunningTraining(AttemptId attempt, Path folder, TrainingNote note, long launchedAt) {
    this.attempt = attempt;
    this.folder = folder;
    this.note = note;
    this.launchedAt = launchedAt;
  }

  AttemptId attempt() {
    return attempt;
  }

  /** Returns the folder of the attempt. */
  Path folder() {
    return folder;
  }

  synchronized TrainingNote note() {
    return note;
  }

  synchronized TrainingProgress progress() {
    return note.progress();
  }

  /**
   * Waits, after the first epoch of an attempt, for the coordinator's answer to it, if the training
   * may get another number of GPUs: then its speed is news, and what is decided too late costs an
   * epoch. Takes at most a small part of an epoch.
   */
  synchronized void awaitDecision() throws InterruptedException {
    long part = Math.min(MOST_WAIT_MILLIS, note.progress().epochMillis() / PART_OF_EPOCH);
    long until = System.nanoTime() + part * NANOS;
    boolean news = note.order().terms().isElastic() && epochsHere == 1;
    for (long left = part; news && !leaving && left > 0; ) {
      wait(left);
      left = (until - System.nanoTime()) / NANOS;
    }
  }

  /**
   * Answers the question of a training that begins an epoch. In the last epoch it need not stop.
   * Ranks of one training must not be answered differently, so with several GPUs the first answer
   * holds for an epoch.
   */
  synchronized boolean hasToStop(long now) throws IOException {
    speaks();
    if (epochSince == 0) {
      epochSince = now;
      if (launchedAt != 0) {
        note = note.with(note.progress().startedIn(Math.max(1, (now - launchedAt) / NANOS)));
      }
    }
    int epoch = note.progress().epochsDone();
    boolean stop = leaving && !isInLastEpoch();
    boolean answer = note.devices() > 1 ? answers.computeIfAbsent(epoch, first -> stop) : stop;
    if (answer && !note.progress().leaves()) {
      TrainingNote told = note.with(note.progress().leaving(true));
      told.write(folder); // its exit code 0 means that it has left, even if this agent dies now
      note = told;
    }
    return answer;
  }

  private boolean isInLastEpoch() {
    return note.progress().epochsDone() >= note.order().terms().epochs() - 1;
  }

  /**
   * Takes a measurement. It is in the note's file with the end of its epoch. Times that are longer
   * than the attempt has run are not believed: the scheduler plans by them.
   *
   * @param now nanoseconds of this object's clock
   * @param wallMillis the time in milliseconds since 1970
   */
  synchronized void measured(TrainingReport.Measurement measurement, long now, long wallMillis)
      throws IOException, TrainingReport.MalformedException {
    speaks();
    // the mean of all steps, of which the first may have taken longer than later epochs
    requirePossible(
        "meandur", measurement.stepSeconds(), mostMillis(launchedAt, now, wallMillis), "start");
    if (measurement.epochSeconds() != null) {
      long since = epochsHere > 0 ? epochSince : launchedAt;
      requirePossible(
          "epochDur",
          measurement.epochSeconds(),
          mostMillis(since, now, wallMillis),
          "start or last epoch");
      toldSeconds = measurement.epochSeconds();
    }
    note = note.with(note.progress().measured(measurement.stepSeconds(), measurement.gpuMiB()));
  }

  /**
   * Returns how long something can have taken at most.
   *
   * @param since when it began, by this object's clock; 0 for the attempt's preparation
   */
  private long mostMillis(long since, long now, long wallMillis) {
    if (since != 0) {
      return (now - since) / NANOS + SLACK_MILLIS;
    }
    long prepared = TrainingNote.preparedAt(folder);
    return prepared == 0 ? Long.MAX_VALUE : Math.max(0, wallMillis - prepared) + SLACK_MILLIS;
  }

  private void requirePossible(String name, double seconds, long mostMillis, String since)
      throws TrainingReport.MalformedException {
    if (seconds * 1000 > mostMillis) {
      String why =
          String.format(
              Locale.ROOT,
              "%s must be at most the %.1f s that have passed since the attempt's %s, got %s: it"
                  + " is in seconds",
              name,
              mostMillis / 1000.0,
              since,
              seconds);
      LOG.warn("{}: {}", attempt, why);
      throw new TrainingReport.MalformedException(why);
    }
  }

  private void speaks() throws IOException {
    if (!note.spoke()) {
      TrainingNote spoken = note.with(note.progress());
      spoken.write(folder);
      note = spoken;
    }
  }

  /**
   * Takes the end of an epoch, which is in the note's file when this returns. A repetition changes
   * nothing.
   *
   * @param wallMillis the time in milliseconds since 1970
   * @return whether it is news
   * @throws TrainingReport.MalformedException if the training cannot have done this number of
   *     epochs
   */
  synchronized boolean ended(TrainingReport.EpochEnd end, long now, long wallMillis)
      throws TrainingReport.MalformedException, IOException {
    speaks();
    int epochs = note.order().terms().epochs();
    int before = note.progress().epochsDone();
    if (end.done() < before || end.done() > epochs) {
      throw new TrainingReport.MalformedException(
          "done must be " + before + " to " + epochs + ", got " + end.done());
    }
    if (end.done() == before) {
      return false;
    }
    TrainingNote after =
        note.with(
            note.progress().done(end.done(), epochMillis(now, end.done() - before), wallMillis));
    after.write(folder);
    note = after;
    epochSince = now;
    toldSeconds = null;
    epochsHere++;
    return true;
  }

  /**
   * Returns the duration of the newest epoch; of several whose ends are told at once their mean.
   */
  private long epochMillis(long now, int epochs) {
    if (toldSeconds != null) {
      return Math.max(1, Math.round(toldSeconds * 1000));
    }
    return epochSince == 0 ? 0 : (now - epochSince) / NANOS / epochs;
  }

  /**
   * Has it leave at the end of its epoch, if it has ever spoken; may be repeated. In its last epoch
   * it is left alone.
   *
   * @param alsoLast whether it gets a signal then, at once
   * @return whether it will be told so; otherwise it needs a signal
   */
  synchronized boolean leave(boolean alsoLast, long now) {
    if (!note.spoke() && note.order().epochsDone() == 0) {
      return false;
    }
    if (!leaving) {
      leaving = true;
      leavingSince = now;
      notifyAll();
    }
    return isInLastEpoch() ? !alsoLast : now - leavingSince < patienceNanos();
  }

  private long patienceNanos() {
    TrainingTerms terms = note.order().terms();
    boolean slower = terms.isElastic() && epochsHere == 0; // it may have had all its GPUs before
    long epochs = note.progress().patienceMillis() * (slower ? terms.maxGpus() : 1);
    return (epochs + note.graceMillis()) * NANOS;
  }
}
