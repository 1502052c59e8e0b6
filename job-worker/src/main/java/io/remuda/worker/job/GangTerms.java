package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * How the tasks of a job belong together.
 *
 * @param together whether all of them start together or none does
 * @param failure what becomes of the others when one fails
 * @param mixed whether they may have GPUs of different models
 * @param roles kinds of its members, in the order of their tasks; empty if all are alike
 */
public record GangTerms(
    boolean together, Failure failure, boolean mixed, List<GangRoleSpec> roles) {

  /** What becomes of the other members when one fails. */
  public enum Failure {
    /** They are ended; those that have succeeded stay so. */
    FAIL,
    /** All of them start again. */
    RESTART,
    /** They go on. */
    IGNORE
  }

  /** All alike, at once, on GPUs of one model; all end when one fails. */
  public static final GangTerms USUAL = new GangTerms(true, Failure.FAIL, false, List.of());

  @JsonCreator
  public GangTerms(
      @JsonProperty("together") boolean together,
      @JsonProperty("failure") Failure failure,
      @JsonProperty("mixed") boolean mixed,
      @JsonProperty("roles") List<GangRoleSpec> roles) {
    this.together = together;
    this.failure = Objects.requireNonNull(failure, "failure");
    this.mixed = mixed;
    this.roles = List.copyOf(roles);
    Set<String> names = new HashSet<>();
    for (GangRoleSpec role : roles) {
      if (!names.add(role.name())) {
        throw new IllegalArgumentException("two roles are named '" + role.name() + "'");
      }
      if (together && (role.completions() > 1 || role.parallelism() > 0)) {
        throw new IllegalArgumentException(
            "role '"
                + role.name()
                + "': completions and parallelism are for roles that do not start together");
      }
    }
  }

  /** Reads what earlier builds stored: whether a job is a gang. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static GangTerms of(boolean gang) {
    return gang ? USUAL : null;
  }

  /** The tasks of a role's replica, or all tasks of a job without roles. */
  public record Part(GangRoleSpec role, int replica, int from, int to) {}

  /** Returns the role's replica that a task belongs to; empty roles have none. */
  @JsonIgnore
  public Part part(int task) {
    int from = 0;
    for (GangRoleSpec role : roles) {
      int end = from + (int) role.tasks();
      if (task < end) {
        int replica = (task - from) / role.completions();
        int first = from + replica * role.completions();
        return new Part(role, replica, first, first + role.completions());
      }
      from = end;
    }
    throw new IllegalArgumentException("no role has task " + task);
  }

  /**
   * Returns the tasks that are limited together with this one: those of its replica, or of its
   * whole role if that has no limit.
   */
  @JsonIgnore
  public Part limited(int task) {
    Part part = part(task);
    if (part.role().parallelism() > 0) {
      return part;
    }
    int first = part.from() - part.replica() * part.role().completions();
    return new Part(part.role(), 0, first, first + (int) part.role().tasks());
  }

  /** Returns the first task of each role, in their order. */
  @JsonIgnore
  public List<Integer> firstTasks() {
    List<Integer> first = new ArrayList<>();
    int from = 0;
    for (GangRoleSpec role : roles) {
      first.add(from);
      from += (int) role.tasks();
    }
    return first;
  }
}
