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
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
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

  /** Returns why a new job is refused; empty if it is not. */
  Optional<Rejection> refusal(NewJob job) {
    return refusal(job, part -> true);
  }

  /**
   * Returns why a job with other terms is refused; empty if it is not. What it had before was
   * accepted, and stays so.
   */
  Optional<Rejection> refusal(NewJob before, NewJob job) {
    return refusal(job, part -> part.applyAsLong(before) != part.applyAsLong(job));
  }

  /**
   * @param isNew whether a part of the job is to be checked
   */
  private Optional<Rejection> refusal(NewJob job, Predicate<ToLongFunction<NewJob>> isNew) {
    Optional<Rejection> no = pastUntil(job).filter(any -> isNew.test(JobTurnCheck::until));
    return job.terms().qos() != Qos.TEST
        ? no
        : no.or(() -> tooManyGpus(job).filter(any -> isNew.test(JobTurnCheck::gpus)))
            .or(() -> tooLongGrace(job).filter(any -> isNew.test(JobTurnCheck::grace)))
            .or(() -> tooLong(job).filter(any -> isNew.test(JobTurnCheck::limit)));
  }

  private Optional<Rejection> pastUntil(NewJob job) {
    long until = until(job);
    return until > 0 && until <= wallMillis.getAsLong()
        ? no("firstUntil must be a time to come, got " + Instant.ofEpochMilli(until), "")
        : Optional.empty();
  }

  private Optional<Rejection> tooManyGpus(NewJob job) {
    return gpus(job) > bounds.gpus()
        ? no(
            "a job with qos test has at most "
                + bounds.gpus()
                + (bounds.gpus() == 1 ? " GPU" : " GPUs")
                + " here, got "
                + gpus(job),
            "submit it without --qos test, or ask the owner of the server to raise"
                + " remuda.coordinator.sharing.tests.gpus")
        : Optional.empty();
  }

  private Optional<Rejection> tooLongGrace(NewJob job) {
    long most = bounds.timeLimit().toMillis();
    return grace(job) > Math.max(most, EndingTerms.USUAL.graceMillis())
        ? no(
            "a job with qos test has a grace of at most its longest time limit here, "
                + SizeAndTimeParser.words(most)
                + ", got "
                + SizeAndTimeParser.words(grace(job)),
            "give a shorter --grace, or submit it without --qos test")
        : Optional.empty();
  }

  private Optional<Rejection> tooLong(NewJob job) {
    long most = bounds.timeLimit().toMillis();
    return limit(job) > most
        ? no(
            "a job with qos test has a time limit of at most "
                + SizeAndTimeParser.words(most)
                + " here, got "
                + SizeAndTimeParser.words(limit(job)),
            "give a shorter --time-limit, submit it without --qos test, or ask the owner of the"
                + " server to raise remuda.coordinator.sharing.tests.time-limit")
        : Optional.empty();
  }

  private static long until(NewJob job) {
    return job.terms().array().firstUntilMillis();
  }

  private static long grace(NewJob job) {
    return job.terms().ending().graceMillis();
  }

  private static long limit(NewJob job) {
    return job.terms().timeLimitMillis();
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
