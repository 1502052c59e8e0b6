package io.remuda.coordinator.api;

import java.util.Objects;

/**
 * The reason why a request is rejected.
 *
 * @param code for programs
 * @param message what is wrong, with the value
 * @param todo what to do instead, or null if that is clear
 */
public record Rejection(Code code, String message, String todo) {

  /** Kinds of rejections. */
  public enum Code {
    /** The request is not valid. */
    INVALID,
    /** No node could ever run it. */
    NEVER_FITS,
    /** There is no such job, task, node or user. */
    NOT_FOUND,
    /** A limit would be exceeded. */
    TOO_MANY,
    /** It belongs to another user. */
    NOT_YOURS,
    /** Its state does not allow the request. */
    WRONG_STATE,
    /** The state cannot be written to the disk at present. */
    DISK,
    /** The node that has the data does not answer. */
    UNREACHABLE,
    /** No coordinator leads that could do it; one will soon, if most of them are there. */
    NO_LEADER,
    /** A coordinator had it and has not answered; twice might do harm, so it is not repeated. */
    MAYBE_DONE,
    /** A condition is not met yet and will be soon; the client may retry. */
    NOT_YET
  }

  public Rejection {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
  }

  /**
   * Returns a copy with the name of the job in its message.
   *
   * @param position of the job, from 0
   */
  public Rejection about(NewJob job, int position) {
    return new Rejection(code, NewJob.said(position, job.name()) + ": " + message, todo);
  }

  /** Returns a rejection without advice. */
  public static Rejection of(Code code, String message) {
    return new Rejection(code, message, null);
  }
}
