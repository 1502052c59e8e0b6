package io.remuda.coordinator.schedule.order;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.GpuShare;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/**
 * The order of the waiting tasks while a plan is made. The highest priority is first; within it the
 * user with the least use relative to their share, including the plan's placements, or the user
 * whose next task is the most urgent, as the {@link OrderPolicy.Turns} say. Among one user's tasks
 * the most urgent is first, of equal ones the first submitted, but tasks with {@link
 * PlacementPolicy#BEST_FIT} and {@link PlacementPolicy#SHARE} precede all others, by requested GPU
 * memory, the largest first, one that has waited longer than its {@link Patience} precedes these,
 * and those that the user has put first precede all. Users with equal use are ordered by their
 * first task, then by name.
 */
public final class QueueOrder {

  /** A task class and the position of the plan in it. */
  public static final class Turn {
    private final TaskClass taskClass;
    private TaskId next;

    private Turn(TaskClass taskClass) {
      this.taskClass = taskClass;
      this.next = taskClass.tasks().first();
    }

    public TaskClass line() {
      return taskClass;
    }

    /** Returns the next task. */
    public TaskId task() {
      return next;
    }
  }

  private static final Comparator<Turn> BY_TASK = Comparator.comparing(Turn::task);

  /** Orders the classes of one user; best fit and share need the largest first. */
  private static final Comparator<Turn> OF_ONE_USER =
      Comparator.<Turn>comparingLong(turn -> -turn.line().key().first())
          .thenComparing(turn -> turn.line().urgency() < Patience.URGENCY)
          .thenComparingLong(turn -> -sortedBytes(turn.line().key()))
          .thenComparingDouble(turn -> -turn.line().urgency())
          .thenComparing(BY_TASK);

  private final Map<String, Double> use;
  private final Map<String, Double> shares;
  private final OrderPolicy.Turns turns;

  /** Classes of which no task can be placed any more. */
  private final Set<TaskClass.SchedulingKey> blocked = new HashSet<>();

  private final NavigableMap<Integer, Map<String, PriorityQueue<Turn>>> lines =
      new TreeMap<>(Collections.reverseOrder());

  /**
   * Creates the order of a plan.
   *
   * @param use use of each user divided by the user's share, 0 for missing users
   * @param shares share of each user, 1 for missing users
   */
  public QueueOrder(
      Collection<TaskClass> waiting, Map<String, Double> use, Map<String, Double> shares) {
    this(waiting, use, shares, OrderPolicy.Turns.FAIR_SHARE);
  }

  /**
   * Creates the order of a plan.
   *
   * @param use use of each user divided by the user's share, 0 for missing users
   * @param shares share of each user, 1 for missing users
   * @param turns how the tasks of different users follow each other
   */
  public QueueOrder(
      Collection<TaskClass> waiting,
      Map<String, Double> use,
      Map<String, Double> shares,
      OrderPolicy.Turns turns) {
    this.turns = turns;
    this.use = new HashMap<>(use);
    this.shares = shares;
    for (TaskClass taskClass : waiting) {
      lines
          .computeIfAbsent(rank(taskClass.key()), rank -> new TreeMap<>())
          .computeIfAbsent(taskClass.key().user(), user -> new PriorityQueue<>(OF_ONE_USER))
          .add(new Turn(taskClass));
    }
  }

  private static long sortedBytes(TaskClass.SchedulingKey key) {
    boolean sorted =
        key.policy() == PlacementPolicy.BEST_FIT || key.policy() == PlacementPolicy.SHARE;
    if (!sorted || key.needs().gpus() == 0) {
      return 0;
    }
    int devices = key.policy() == PlacementPolicy.SHARE ? key.needs().gpus() : 1;
    return key.needs().gpuShare() instanceof GpuShare.Bytes part
        ? part.bytes() * devices
        : Long.MAX_VALUE;
  }

  /** Returns the rank by priority; within it tasks that have run out of memory go first. */
  private static int rank(TaskClass.SchedulingKey key) {
    return 2 * key.priority() + (key.again() ? 1 : 0);
  }

  /** Returns the next turn, empty if no class is left. */
  public Optional<Turn> next() {
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    Turn best = null;
    double least = 0;
    for (Map.Entry<String, PriorityQueue<Turn>> user : lines.firstEntry().getValue().entrySet()) {
      Turn turn = user.getValue().peek();
      double used = standing(user.getKey(), turn);
      if (best == null || used < least || (used == least && BY_TASK.compare(turn, best) < 0)) {
        best = turn;
        least = used;
      }
    }
    return Optional.of(best);
  }

  /** Returns a number that is the least for the user whose turn is next. */
  private double standing(String user, Turn first) {
    return turns == OrderPolicy.Turns.FAIR_SHARE
        ? use.getOrDefault(user, 0.0)
        : -first.line().urgency();
  }

  /** Records that the turn's task was placed: charges its user and continues with the next task. */
  public void placed(Turn turn) {
    charge(turn, 1);
    goOn(turn, turn.taskClass.tasks().higher(turn.next));
  }

  /**
   * Records that all tasks of the turn's job in this class had their turn: charges their user and
   * continues with the next job.
   */
  public void passed(Turn turn) {
    JobId job = turn.next.job();
    charge(turn, turn.taskClass.tasks().count(job));
    goOn(turn, turn.taskClass.tasks().firstAfter(job));
  }

  /** Records that the turn's task had to wait, and continues with a later one of the class. */
  public void skipped(Turn turn, TaskId next) {
    goOn(turn, next);
  }

  private void goOn(Turn turn, TaskId next) {
    remove(turn);
    turn.next = next;
    if (turn.next != null) {
      lines
          .computeIfAbsent(rank(turn.taskClass.key()), rank -> new TreeMap<>())
          .computeIfAbsent(turn.taskClass.key().user(), user -> new PriorityQueue<>(OF_ONE_USER))
          .add(turn);
    }
  }

  /** Records that all tasks of the class were placed, and charges their user. */
  public void placedAll(Turn turn) {
    charge(turn, turn.taskClass.tasks().size());
    remove(turn);
  }

  /** Removes the class from this plan, in all its parts. */
  public void blocked(Turn turn) {
    blocked.add(turn.taskClass.key());
    remove(turn);
  }

  private void charge(Turn turn, int tasks) {
    String user = turn.taskClass.key().user();
    double share = shares.getOrDefault(user, 1.0);
    use.merge(user, turn.taskClass.charge() * tasks / share, Double::sum);
  }

  private void remove(Turn turn) {
    int rank = rank(turn.taskClass.key());
    String user = turn.taskClass.key().user();
    Map<String, PriorityQueue<Turn>> users = lines.get(rank);
    PriorityQueue<Turn> own = users.get(user);
    own.poll(); // it was at the front
    while (!own.isEmpty() && blocked.contains(own.peek().taskClass.key())) {
      own.poll();
    }
    if (own.isEmpty()) {
      users.remove(user);
    }
    if (users.isEmpty()) {
      lines.remove(rank);
    }
  }
}
