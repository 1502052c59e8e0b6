package io.remuda.coordinator.api;

/** The answer to a request: a value or a rejection. */
public sealed interface Reply<T> {

  /** The request succeeded. */
  record Yes<T>(T value) implements Reply<T> {}

  /** The request was rejected and changed nothing. */
  record No<T>(Rejection rejection) implements Reply<T> {}

  static <T> Reply<T> of(T value) {
    return new Yes<>(value);
  }

  static <T> Reply<T> no(Rejection rejection) {
    return new No<>(rejection);
  }
}
