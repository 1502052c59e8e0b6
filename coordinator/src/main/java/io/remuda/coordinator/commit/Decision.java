package io.remuda.coordinator.commit;

import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.row.StoreChange;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The outcome of a rule: what has changed in the registries and what happens because of it.
 *
 * @param changes of tasks, already made in the registry; their rows and effects follow from them
 * @param rows of other changes, to be committed together with those of {@code changes}
 * @param atOnce effects that need not wait for the disk
 * @param committed effects once {@code changes} and {@code rows} are durable, after those that
 *     follow from {@code changes}
 * @param mayPlace whether a task may fit that did not fit before
 */
public record Decision(
    List<TaskChange> changes,
    List<StoreChange> rows,
    List<Effect> atOnce,
    List<Effect> committed,
    boolean mayPlace) {

  public static final Decision NONE =
      new Decision(List.of(), List.of(), List.of(), List.of(), false);

  public Decision {
    changes = List.copyOf(changes);
    rows = List.copyOf(rows);
    atOnce = List.copyOf(atOnce);
    committed = List.copyOf(committed);
  }

  /** Changes of tasks; others may fit now. */
  public static Decision of(List<TaskChange> changes) {
    return new Decision(changes, List.of(), List.of(), List.of(), !changes.isEmpty());
  }

  /** Rows without changes of tasks. */
  public static Decision ofRows(List<StoreChange> rows) {
    return new Decision(List.of(), rows, List.of(), List.of(), false);
  }

  /** Effects that need not wait for the disk. */
  public static Decision atOnce(List<Effect> effects) {
    return new Decision(List.of(), List.of(), effects, List.of(), false);
  }

  /** An answer that changes nothing. */
  public static <T> Decision answer(ActorRef<T> replyTo, T answer) {
    return atOnce(List.of(new Effect.Tell<>(replyTo, answer)));
  }

  /** The rejection of a request, which changes nothing. */
  public static <T> Decision refuse(ActorRef<Reply<T>> replyTo, Rejection rejection) {
    return answer(replyTo, Reply.no(rejection));
  }

  /** Returns a copy with further rows. */
  public Decision withRows(List<StoreChange> more) {
    return new Decision(changes, joined(rows, more), atOnce, committed, mayPlace);
  }

  /** Returns a copy with an effect before the others that need not wait. */
  public Decision first(Effect effect) {
    return new Decision(changes, rows, joined(List.of(effect), atOnce), committed, mayPlace);
  }

  /** Returns a copy with further effects that need not wait. */
  public Decision meanwhile(List<Effect> more) {
    return new Decision(changes, rows, joined(atOnce, more), committed, mayPlace);
  }

  /** Returns a copy with a further effect once all is durable. */
  public Decision then(Effect effect) {
    return new Decision(changes, rows, atOnce, joined(committed, List.of(effect)), mayPlace);
  }

  /** Returns a copy that answers once all is durable. */
  public <T> Decision thenAnswer(ActorRef<T> replyTo, T answer) {
    return then(new Effect.Tell<>(replyTo, answer));
  }

  /** Returns a copy after which a task may fit that did not fit before. */
  public Decision placing() {
    return new Decision(changes, rows, atOnce, committed, true);
  }

  /** Returns whether something is to be made durable first, or waits for what is. */
  public boolean waitsForCommit() {
    return !changes.isEmpty() || !rows.isEmpty() || !committed.isEmpty();
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
