package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A job.
 *
 * @param uuid null for jobs of others: by it a training speaks to its node
 * @param reason why it is in its state, or null
 * @param exitCode or null
 * @param signal number of the signal that ended its only task, or the one task that was asked for;
 *     absent for none, and of whole jobs also if how far they are was not asked for
 * @param submittedAt time
 * @param startedAt time, or null
 * @param endedAt time, or null
 * @param ranMillis how long it has run, by clocks that nobody sets; absent if that is not known,
 *     and of whole jobs also if how far they are was not asked for
 * @param tasks number of its tasks
 * @param task number of the one task that was asked for, whose state this is; absent for the whole
 *     job
 * @param arrayIndex its array index, absent if the indices of its job are the tasks' numbers
 * @param counts number of tasks by state, absent if it was not asked for
 * @param turn its place in the order of the waiting jobs, from 1; absent if no task of it waits for
 *     a place and may have one now
 * @param start when it may start, whose fields are the job's; null if that is not known
 * @param nodes names of nodes where its tasks are, or, if it has ended, its last ones were; eight
 *     at most, absent if there are none
 * @param nodesMore number of further nodes, absent for none
 * @param epochs of a training, whose fields are the job's; null for other jobs, which lack them
 */
public record JobAnswer(
    long id,
    String uuid,
    String name,
    String user,
    String state,
    String reason,
    Integer exitCode,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer signal,
    String submittedAt,
    String startedAt,
    String endedAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long ranMillis,
    int tasks,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer task,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer arrayIndex,
    @JsonInclude(JsonInclude.Include.NON_NULL) Map<String, Integer> counts,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer turn,
    @JsonUnwrapped ExpectedStartAnswer start,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> nodes,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer nodesMore,
    @JsonUnwrapped TrainingProgressAnswer epochs) {

  private static final int REASONS_IN_WORDS = 3;

  private static final Set<String> WAITS =
      Stream.of(TaskState.values())
          .filter(TaskState::isBefore)
          .map(TaskState::label)
          .collect(Collectors.toSet());

  /** Nodes that are named. */
  private static final int MOST_NODES = 8;

  /** Returns a job as others than its owner see it. */
  public static JobAnswer of(JobRow row) {
    return of(row, false);
  }

  /**
   * @param own whether it is for its owner
   */
  public static JobAnswer of(JobRow row, boolean own) {
    return new JobAnswer(
        row.id().value(),
        own ? row.uuid().toString() : null,
        row.name(),
        row.user(),
        row.state().label(),
        row.reason(),
        row.exitCode(),
        null,
        time(row.submitted()),
        time(row.started()),
        time(row.ended()),
        null,
        row.tasks(),
        null,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        TrainingProgressAnswer.of(row.epochs()));
  }

  /** Returns a time as in RFC 3339; null for 0. */
  static String time(long epochMillis) {
    return epochMillis == 0 ? null : Instant.ofEpochMilli(epochMillis).toString();
  }

  /**
   * Returns one task of the job in its place: state, times, node and how it ended are the task's.
   *
   * @param index its array index, null if that is its number
   * @param row null if it had no place yet
   * @param untouched the state of tasks that had no place yet
   * @param use what it has used so far, if it runs; null if that is not known
   */
  public JobAnswer task(int number, Integer index, TaskRow row, TaskState untouched, TaskUse use) {
    TaskState its = row == null ? untouched : row.state();
    boolean waits = its.isBefore();
    TaskEnd end = row == null || !its.isFinal() ? null : row.end(); // else of an earlier attempt
    Long told = use == null || !its.holdsPlace() ? null : use.ranMillis();
    return new JobAnswer(
        id,
        uuid,
        name,
        user,
        its.label(),
        waits || row == null ? reason : row.cause(),
        end == null ? null : end.exitCode(),
        end == null ? null : end.signal(),
        submittedAt,
        row == null || waits ? null : time(row.started()),
        row == null ? null : time(row.ended()),
        end == null ? told : end.wallMillis(),
        tasks,
        number,
        index,
        counts == null ? null : Map.of(its.label(), 1),
        waits ? turn : null,
        waits ? start : null,
        row == null || row.node() == null || waits ? List.of() : List.of(row.node()),
        null,
        epochs);
  }

  /** Returns the job with how far it is, and with why it waits in place of its reason. */
  public JobAnswer with(LiveJobProgress view) {
    return new JobAnswer(
        id,
        uuid,
        name,
        user,
        state,
        reason(view),
        exitCode,
        view.signal(),
        submittedAt,
        startedAt,
        endedAt,
        startedAt == null ? null : view.ranMillis(),
        tasks,
        task,
        arrayIndex,
        ExplanationAnswer.counts(view.counts()),
        view.forecast() == null ? null : view.forecast().turn(),
        ExpectedStartAnswer.of(view.forecast(), view.reasons(), Instant.now()),
        view.nodes().stream().limit(MOST_NODES).toList(),
        view.nodes().size() <= MOST_NODES ? null : view.nodes().size() - MOST_NODES,
        epochs);
  }

  /** Returns why tasks wait; while others run, what has happened to the job comes before that. */
  private String reason(LiveJobProgress view) {
    boolean known = reason != null && !WAITS.contains(state);
    return known || view.reasons().isEmpty() ? reason : inWords(view.reasons());
  }

  /** Returns the first reasons in one line; {@code remuda explain} shows all. */
  private static String inWords(List<WaitReason> reasons) {
    List<WaitReason> first = reasons.subList(0, Math.min(REASONS_IN_WORDS, reasons.size()));
    int more = reasons.size() - first.size();
    return String.join("; ", WaitText.lines(first)) + (more == 0 ? "" : "; and " + more + " more");
  }
}
