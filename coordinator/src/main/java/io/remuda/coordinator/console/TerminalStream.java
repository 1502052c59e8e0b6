package io.remuda.coordinator.console;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import io.remuda.agent.commandline.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A standard stream that may be a terminal. JLine is not used here: it returns no size if standard
 * input is not a terminal, as in a script (decision 7).
 */
public final class TerminalStream {

  /** Standard input. */
  public static final int IN = 0;

  /** Standard output. */
  public static final int OUT = 1;

  /** Standard error. */
  public static final int ERR = 2;

  /** {@code TIOCGWINSZ} in asm-generic/ioctls.h, for x86 and ARM. */
  private static final NativeLong GET_WINDOW_SIZE = new NativeLong(0x5413);

  private static final Path NOTHING = Path.of("/dev/null");
  private static final int WINDOW_SIZE_BYTES = 8; // rows, columns and two unused, 16 bits each

  /** C functions; {@code ioctl} is variadic, which makes no difference for a pointer. */
  private interface C extends Library {
    int isatty(int descriptor);

    int ioctl(int descriptor, NativeLong request, Pointer argument);
  }

  /** Columns and rows, at least 1 each. */
  public record Size(int columns, int rows) {
    static final Size USUAL = new Size(80, 24);
  }

  /** Null if the stream is none of this process, and so no terminal. */
  private final C c;

  private final int descriptor;

  private TerminalStream(C c, int descriptor) {
    this.c = c;
    this.descriptor = descriptor;
  }

  /** Returns a stream of a command; that of a command within another program is no terminal. */
  public static TerminalStream of(Caller caller, int descriptor) {
    return new TerminalStream(caller.isOwnProcess() ? Native.load("c", C.class) : null, descriptor);
  }

  /**
   * Returns whether a stream may be a terminal, by its name in {@code /proc}. For most streams that
   * are not a terminal this avoids loading JNA, which takes as long as the rest of a short command.
   */
  public static boolean mayBe(Caller caller, int descriptor) {
    if (!caller.isOwnProcess()) {
      return false;
    }
    try {
      Path name = Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(descriptor)));
      return name.startsWith("/dev") && !name.equals(NOTHING);
    } catch (IOException unknown) {
      return true;
    }
  }

  /** Returns whether a stream is a terminal, which for most others is known without JNA. */
  public static boolean isTerminal(Caller caller, int descriptor) {
    return mayBe(caller, descriptor) && of(caller, descriptor).isTerminal();
  }

  /** Returns whether bars can be drawn on it: it is a terminal that can move its cursor. */
  public boolean moves(Map<String, String> environment) {
    String type = environment.getOrDefault("TERM", "");
    return isTerminal() && !type.isEmpty() && !type.equals("dumb");
  }

  /** Returns whether it is a terminal. */
  public boolean isTerminal() {
    return c != null && c.isatty(descriptor) == 1;
  }

  /** Returns its current size; 80 columns and 24 rows if it is unknown. */
  public Size size() {
    if (c == null) {
      return Size.USUAL;
    }
    try (Memory size = new Memory(WINDOW_SIZE_BYTES)) {
      size.clear();
      int answer = c.ioctl(descriptor, GET_WINDOW_SIZE, size);
      int rows = size.getShort(0) & 0xffff;
      int columns = size.getShort(2) & 0xffff;
      return answer != 0 || rows == 0 || columns == 0 ? Size.USUAL : new Size(columns, rows);
    }
  }
}
