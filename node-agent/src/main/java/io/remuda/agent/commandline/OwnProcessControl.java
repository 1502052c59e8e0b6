package io.remuda.agent.commandline;

import io.remuda.agent.keeper.program.NonblockingOutputStream;
import io.remuda.agent.keeper.program.OwnSession;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import sun.misc.Signal;

/** Does it to this process; loaded only by commands that do so. */
final class OwnProcessControl implements ProcessControl {

  @Override
  public void onSignals(List<String> names, SignalHandler handler) {
    names.forEach(
        name ->
            Signal.handle(
                new Signal(name),
                signal -> handler.onSignal(signal.getName(), signal.getNumber())));
  }

  @Override
  public void addShutdownHook(Thread hook) {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void removeShutdownHook(Thread hook) {
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  @Override
  public void halt(int exitCode) {
    Runtime.getRuntime().halt(exitCode);
  }

  @Override
  public void leaveSession() {
    OwnSession.enter();
  }

  @Override
  public void unblockOutput() {
    NonblockingOutputStream.install();
  }

  @Override
  public void closeOut() throws IOException {
    System.out.flush();
    System.setOut(System.err);
    try (FileOutputStream pipe = new FileOutputStream(FileDescriptor.out)) {
      pipe.flush();
    }
  }

  @Override
  public void redirectErr(PrintStream to) {
    System.setErr(to);
  }

  @Override
  public void logFrom(String level) {
    System.setProperty("REMUDA_LOG_LEVEL", level);
  }
}
