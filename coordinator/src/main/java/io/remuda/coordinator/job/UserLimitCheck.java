package io.remuda.coordinator.job;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.schedule.UserRoom;
import io.remuda.coordinator.schedule.model.UserLimitUsage;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks submissions against the limits of their user. */
final class UserLimitCheck {

  private static final String ASK = "ask the owner of the server to raise it (remuda user limit)";
  private static final String ASK_FOR_TESTS =
      "submit it without --qos test, or ask the owner of the server to raise"
          + " remuda.coordinator.sharing.tests.running";

  private final TaskRegistry tasks;
  private final LiveJobLimiter load;

  UserLimitCheck(TaskRegistry tasks, LiveJobLimiter load) {
    this.tasks = tasks;
    this.load = load;
  }

  /** Returns the rejection of jobs with which their user would have too many that wait. */
  Optional<Rejection> tooMany(List<NewJob> jobs) {
    if (jobs.isEmpty()) {
      return Optional.empty();
    }
    String user = jobs.get(0).user();
    Long limit = tasks.userUse().limits(user).waiting();
    Set<JobId> live = load.jobsOf(user);
    if (!UserLimits.limits(limit) || live.size() + jobs.size() <= limit) {
      return Optional.empty();
    }
    long waiting =
        live.stream()
            .flatMap(job -> tasks.live(job).stream())
            .filter(UserLimitCheck::waits)
            .count();
    return waiting + jobs.size() <= limit
        ? Optional.empty()
        : Optional.of(
            new Rejection(
                Rejection.Code.TOO_MANY,
                "limit of user "
                    + user
                    + ": "
                    + limit
                    + " waiting jobs at once, has "
                    + waiting
                    + ", with this "
                    + (waiting + jobs.size()),
                "wait until some have started, use an array (--count), or " + ASK));
  }

  private static boolean waits(LiveJob job) {
    return Stream.of(TaskState.values())
        .anyMatch(state -> state.isBefore() && job.count(state) > 0);
  }

  /** Returns the rejection of a job of which a task, or the gang, is larger than its limit. */
  Optional<Rejection> neverStarts(NewJob job) {
    String account = Qos.account(job.terms().rank(), job.user());
    UserLimits limits = account == null ? UserLimits.USUAL : tasks.userUse().limits(account);
    if (!limits.limitTasks()) {
      return Optional.empty();
    }
    UserRoom whole = new UserRoom(Map.of(account, new UserLimitUsage(limits, 0, 0, 0)));
    return together(job).stream()
        .flatMap(part -> whole.refusal(account, part).stream())
        .findFirst()
        .map(
            reason ->
                new Rejection(
                    Rejection.Code.NEVER_FITS,
                    "this can never run: " + WaitText.lines(List.of(reason)).get(0),
                    "ask for less, or " + (Qos.isOfTests(account) ? ASK_FOR_TESTS : ASK)));
  }

  /** Returns what the job's tasks need that start together; one of those that are alike. */
  private static List<List<ResourceRequest>> together(NewJob job) {
    List<GangRoleSpec> roles = job.terms().gang() == null ? List.of() : job.terms().gang().roles();
    if (!job.terms().startsTogether()) {
      return roles.isEmpty()
          ? List.of(List.of(job.request()))
          : roles.stream().map(role -> List.of(role.request())).toList();
    }
    if (roles.isEmpty()) {
      return List.of(Collections.nCopies(job.tasks().size(), job.request()));
    }
    List<ResourceRequest> all = new ArrayList<>();
    roles.forEach(role -> all.addAll(Collections.nCopies((int) role.tasks(), role.request())));
    return List.of(all);
  }
}
