package io.remuda.agent.commandline;

import java.io.PrintStream;
import java.util.List;

/** Leaves the process alone. */
final class NoProcessControl implements ProcessControl {

  @Override
  public void onSignals(List<String> names, SignalHandler handler) {
    // signals are for the program that this command runs in
  }

  @Override
  public void addShutdownHook(Thread hook) {
    // the command ends before the process does
  }

  @Override
  public void removeShutdownHook(Thread hook) {
    // none was added
  }

  @Override
  public void halt(int exitCode) {
    throw new IllegalStateException("a command within another program cannot end that program");
  }

  @Override
  public void leaveSession() {
    // the session is that of the program
  }

  @Override
  public void unblockOutput() {
    // the streams were given by the program
  }

  @Override
  public void closeOut() {
    // nobody waits for that
  }

  @Override
  public void redirectErr(PrintStream to) {
    // there is no terminal with bars
  }

  @Override
  public void logFrom(String level) {
    // the log is that of the program
  }
}
