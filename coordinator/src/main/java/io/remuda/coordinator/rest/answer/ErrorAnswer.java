package io.remuda.coordinator.rest.answer;

/** A request that was not carried out. */
public record ErrorAnswer(Fault error) {

  /**
   * What was wrong.
   *
   * @param code in lower case with hyphens
   * @param todo what to do, or null
   */
  public record Fault(String code, String message, String todo) {}

  public static ErrorAnswer of(String code, String message, String todo) {
    return new ErrorAnswer(new Fault(code, message, todo));
  }
}
