package io.remuda.coordinator.actor;

import java.util.Objects;

/**
 * Why something that was asked for is not done.
 *
 * @param code for programs
 * @param message what is wrong, with the value
 * @param todo what to do instead, or null if that is clear
 */
public record Rejection(Code code, String message, String todo) {

  /** Kinds of rejections. */
  public enum Code {
    /** What was asked for makes no sense. */
    INVALID,
    /** No node could ever run it. */
    NEVER_FITS,
    /** There is no such job, task, node or user. */
    NOT_FOUND,
    /** There would be more of it than is accepted. */
    TOO_MANY,
    /** It is somebody else's. */
    NOT_YOURS,
    /** It is not in a state in which that can be done. */
    WRONG_STATE,
    /** The disk takes nothing at present. */
    DISK,
    /** The node that would know does not answer. */
    UNREACHABLE,
    /** What it takes is not there yet, and will soon be. */
    NOT_YET
  }

  public Rejection {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
  }

  /**
   * The same, of one job of several.
   *
   * @param position of the job, from 0
   */
  public Rejection about(NewJob job, int position) {
    return new Rejection(code, NewJob.said(position, job.name()) + ": " + message, todo);
  }

  /** One that needs no advice. */
  public static Rejection of(Code code, String message) {
    return new Rejection(code, message, null);
  }
}
