package io.remuda.coordinator.job;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.registry.policy.SchedulingSettings.TestBounds;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.SizeAndTimeParser;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** Checks jobs that do not wait for their turn as others do: tests, and those that are first. */
final class JobTurnCheck {

  private final TestBounds bounds;
  private final LongSupplier wallMillis;

  /**
   * @param wallMillis returns the present in milliseconds since 1970
   */
  JobTurnCheck(TestBounds bounds, LongSupplier wallMillis) {
    this.bounds = bounds;
    this.wallMillis = wallMillis;
  }

  /** Returns why a job is refused; empty if it is not. */
  Optional<Rejection> refusal(NewJob job) {
    return refusal(null, job);
  }

  /**
   * Returns why a job is refused; empty if it is not.
   *
   * @param before the job as it was accepted, of which nothing is refused; null for a new one
   */
  Optional<Rejection> refusal(NewJob before, NewJob job) {
    long until = job.terms().array().firstUntilMillis();
    boolean sameUntil = before != null && before.terms().array().firstUntilMillis() == until;
    if (!sameUntil && until > 0 && until <= wallMillis.getAsLong()) {
      return no("firstUntil must be a time to come, got " + Instant.ofEpochMilli(until), "");
    }
    if (job.terms().qos() != Qos.TEST) {
      return Optional.empty();
    }
    long gpus = gpus(job);
    boolean sameGpus = before != null && gpus(before) == gpus;
    if (!sameGpus && gpus > bounds.gpus()) {
      return no(
          "a job with qos test has at most "
              + bounds.gpus()
              + (bounds.gpus() == 1 ? " GPU" : " GPUs")
              + " here, got "
              + gpus,
          "submit it without --qos test, or ask the owner of the server to raise"
              + " remuda.coordinator.sharing.tests.gpus");
    }
    long most = bounds.timeLimit().toMillis();
    long grace = job.terms().ending().graceMillis();
    boolean sameGrace = before != null && before.terms().ending().graceMillis() == grace;
    if (!sameGrace && grace > Math.max(most, EndingTerms.USUAL.graceMillis())) {
      return no(
          "a job with qos test has a grace of at most its longest time limit here, "
              + SizeAndTimeParser.words(most)
              + ", got "
              + SizeAndTimeParser.words(grace),
          "give a shorter --grace, or submit it without --qos test");
    }
    long limit = job.terms().timeLimitMillis();
    boolean sameLimit = before != null && before.terms().timeLimitMillis() == limit;
    return sameLimit || limit <= most
        ? Optional.empty()
        : no(
            "a job with qos test has a time limit of at most "
                + SizeAndTimeParser.words(most)
                + " here, got "
                + SizeAndTimeParser.words(job.terms().timeLimitMillis()),
            "give a shorter --time-limit, submit it without --qos test, or ask the owner of the"
                + " server to raise remuda.coordinator.sharing.tests.time-limit");
  }

  private static Optional<Rejection> no(String what, String todo) {
    return Optional.of(new Rejection(Rejection.Code.INVALID, what, todo));
  }

  /** Returns the most GPUs that a part of a job has at once that starts together. */
  private static long gpus(NewJob job) {
    long each = job.request().gpus();
    if (job.terms().training() != null) {
      each = Math.max(each, job.terms().training().maxGpus());
    }
    if (job.terms().gang() == null) {
      return each;
    }
    boolean together = job.terms().startsTogether();
    LongStream roles =
        job.terms().gang().roles().stream()
            .mapToLong(role -> (together ? role.tasks() : 1) * role.request().gpus());
    long gang = together ? roles.sum() : roles.max().orElse(0);
    boolean alike = job.terms().gang().roles().isEmpty();
    return alike ? each * (together ? job.tasks().size() : 1) : Math.max(each, gang);
  }

  /** Returns a test with the time limit of tests if it has none; other jobs as they are. */
  JobSpec bounded(JobSpec job) {
    return job.terms().qos() == Qos.TEST && job.terms().timeLimitMillis() == 0
        ? job.withTerms(
            job.terms().with(terms -> terms.timeLimitMillis = bounds.timeLimit().toMillis()))
        : job;
  }
}
