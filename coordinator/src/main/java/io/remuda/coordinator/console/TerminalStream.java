package io.remuda.coordinator.console;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A standard stream that may be a terminal. JLine was tried for this: it gives no size where
 * standard input is no terminal, as in a script (decision 7).
 */
public final class TerminalStream {

  /** Standard input. */
  public static final int IN = 0;

  /** Standard output. */
  public static final int OUT = 1;

  /** Standard error. */
  public static final int ERR = 2;

  /** {@code TIOCGWINSZ} of asm-generic/ioctls.h, of x86 and ARM. */
  private static final NativeLong GET_WINDOW_SIZE = new NativeLong(0x5413);

  private static final Path NOTHING = Path.of("/dev/null");
  private static final int WINDOW_SIZE_BYTES = 8; // rows, columns and two unused, 16 bits each

  /** The two C functions; {@code ioctl} is variadic, which makes no difference for a pointer. */
  private interface C extends Library {
    int isatty(int descriptor);

    int ioctl(int descriptor, NativeLong request, Pointer argument);
  }

  /** Columns and rows, at least 1 each. */
  public record Size(int columns, int rows) {
    static final Size USUAL = new Size(80, 24);
  }

  private final C c = Native.load("c", C.class);
  private final int descriptor;

  private TerminalStream(int descriptor) {
    this.descriptor = descriptor;
  }

  public static TerminalStream of(int descriptor) {
    return new TerminalStream(descriptor);
  }

  /**
   * Whether a stream may be a terminal, as far as its name tells. Most that are none are found out
   * by this without loading JNA, which takes as long as all else that a short command does.
   */
  public static boolean mayBe(int descriptor) {
    try {
      Path name = Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(descriptor)));
      return name.startsWith("/dev") && !name.equals(NOTHING);
    } catch (IOException unknown) {
      return true;
    }
  }

  /** Whether bars can be drawn on it: a terminal that moves its cursor. */
  public boolean moves(Map<String, String> environment) {
    String type = environment.getOrDefault("TERM", "");
    return isTerminal() && !type.isEmpty() && !type.equals("dumb");
  }

  /** Whether it is a terminal at all. */
  public boolean isTerminal() {
    return c.isatty(descriptor) == 1;
  }

  /** Its size now; 80 to 24 if the terminal does not know. */
  public Size size() {
    try (Memory size = new Memory(WINDOW_SIZE_BYTES)) {
      size.clear();
      int answer = c.ioctl(descriptor, GET_WINDOW_SIZE, size);
      int rows = size.getShort(0) & 0xffff;
      int columns = size.getShort(2) & 0xffff;
      return answer != 0 || rows == 0 || columns == 0 ? Size.USUAL : new Size(columns, rows);
    }
  }
}
