package io.remuda.agent.keeper;

/** How the first process of a task ended. */
public sealed interface ExitStatus {

  /**
   * The process returned.
   *
   * @param value 0 to 255
   */
  record Code(int value) implements ExitStatus {}

  /**
   * A signal ended the process.
   *
   * @param number such as 9 for SIGKILL
   */
  record Signal(int number, boolean coreDumped) implements ExitStatus {}

  /** Decodes the status word of wait4. */
  static ExitStatus ofWaitStatus(int status) {
    int signal = status & 0x7f;
    return signal == 0 ? new Code((status >> 8) & 0xff) : new Signal(signal, (status & 0x80) != 0);
  }

  /** Returns the status as a shell shows it: the code, or 128 + the signal. */
  default int shellCode() {
    return this instanceof Code code ? code.value() : 128 + ((Signal) this).number();
  }
}
