package io.remuda.coordinator.doctor;

import java.util.Objects;

/**
 * The result of one check.
 *
 * @param subject what was checked, a word or two
 * @param found what was found, a sentence
 * @param todo what to do about it, or empty if it is good
 */
public record DoctorFinding(String subject, Verdict verdict, String found, String todo) {

  /** The verdicts, best first. */
  public enum Verdict {
    GOOD(0),
    /** Works, but slower, smaller or riskier than it could. */
    WARNING(3),
    /** Runs will fail. */
    BROKEN(1);

    private final int exitCode;

    Verdict(int exitCode) {
      this.exitCode = exitCode;
    }

    /** Returns the exit code if this is the worst verdict. */
    public int exitCode() {
      return exitCode;
    }
  }

  public DoctorFinding {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(verdict, "verdict");
    Objects.requireNonNull(found, "found");
    Objects.requireNonNull(todo, "todo");
  }

  static DoctorFinding good(String subject, String found) {
    return new DoctorFinding(subject, Verdict.GOOD, found, "");
  }

  static DoctorFinding warning(String subject, String found, String todo) {
    return new DoctorFinding(subject, Verdict.WARNING, found, todo);
  }

  static DoctorFinding broken(String subject, String found, String todo) {
    return new DoctorFinding(subject, Verdict.BROKEN, found, todo);
  }
}
