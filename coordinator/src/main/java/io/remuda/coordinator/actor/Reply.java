package io.remuda.coordinator.actor;

/** What was asked for, or why not. */
public sealed interface Reply<T> {

  /** It was done, or is so. */
  record Yes<T>(T value) implements Reply<T> {}

  /** It was not done. */
  record No<T>(Rejection rejection) implements Reply<T> {}

  static <T> Reply<T> of(T value) {
    return new Yes<>(value);
  }

  static <T> Reply<T> no(Rejection rejection) {
    return new No<>(rejection);
  }
}
