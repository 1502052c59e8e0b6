package io.remuda.coordinator.cluster;

/**
 * Why a member cannot serve.
 *
 * @param what in words that may be told to anybody: without addresses, and without what a database
 *     or a system has said
 * @param detail more, for those with a token; empty for none
 */
public record NotReadyReason(String what, String detail) {

  /** Creates a reason that anybody may know. */
  public NotReadyReason(String what) {
    this(what, "");
  }

  /** Returns the whole reason. */
  public String whole() {
    return detail.isEmpty() ? what : what + ": " + detail;
  }
}
