package io.remuda.coordinator.console;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.remuda.agent.commandline.Caller;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The terminal of this command, while each key goes to a program elsewhere as it is, Ctrl-C and
 * Ctrl-D too. Closing it restores the terminal; so does the end of this process, however it ends,
 * but for SIGKILL.
 */
public final class RawTerminal implements Closeable {

  /** More than the C library's structure has on any machine. */
  private static final int SETTINGS_BYTES = 256;

  /** {@code TCSADRAIN}: what was printed before is printed under the old settings. */
  private static final int AFTER_OUTPUT = 1;

  /** C functions. */
  private interface C extends Library {
    int tcgetattr(int descriptor, Pointer settings);

    int tcsetattr(int descriptor, int when, Pointer settings);

    void cfmakeraw(Pointer settings);
  }

  private static final AtomicReference<RawTerminal> CURRENT = new AtomicReference<>();

  private final C c = Native.load("c", C.class);
  private final byte[] before;

  private RawTerminal() throws IOException {
    try (Memory settings = new Memory(SETTINGS_BYTES)) {
      settings.clear();
      if (c.tcgetattr(TerminalStream.IN, settings) != 0) {
        throw new IOException("the settings of this terminal cannot be read");
      }
      this.before = settings.getByteArray(0, SETTINGS_BYTES);
      CURRENT.set(this);
      c.cfmakeraw(settings);
      c.tcsetattr(TerminalStream.IN, AFTER_OUTPUT, settings);
    }
  }

  /** Returns whether stdin and stdout are a terminal. */
  public static boolean isThere(Caller caller) {
    return TerminalStream.of(caller, TerminalStream.IN).isTerminal()
        && TerminalStream.of(caller, TerminalStream.OUT).isTerminal();
  }

  /** Takes the terminal. */
  public static RawTerminal take(Caller caller) throws IOException {
    Thread restoring = new Thread(RawTerminal::restoreTaken, "restore-terminal");
    RawTerminal taken = new RawTerminal();
    caller.process().addShutdownHook(restoring);
    return taken;
  }

  /** Restores the terminal if it is taken, before this process is halted. */
  public static void restoreTaken() {
    RawTerminal taken = CURRENT.getAndSet(null);
    if (taken != null) {
      try (Memory settings = new Memory(SETTINGS_BYTES)) {
        settings.write(0, taken.before, 0, SETTINGS_BYTES);
        taken.c.tcsetattr(TerminalStream.IN, AFTER_OUTPUT, settings);
      }
    }
  }

  @Override
  public void close() {
    restoreTaken();
  }
}
