package io.remuda.coordinator.cli.channel;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.console.RawTerminal;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Connects this terminal with one at a task, until that one is over. */
final class TerminalSession {

  /** How often the size of this terminal is looked at. */
  private static final long LOOK_MILLIS = 100;

  private final Caller caller;
  private final KeyboardReader keyboard;
  private final TerminalStream terminal;

  /**
   * @param caller whose terminal it is
   */
  TerminalSession(Caller caller) {
    this.caller = caller;
    this.keyboard = new KeyboardReader(caller.in());
    this.terminal = TerminalStream.of(caller, TerminalStream.OUT);
  }

  /** Passes keys, sizes and output until there is no more output. */
  void run(TaskLink link) throws IOException, InterruptedException {
    Thread keys = DaemonThread.of("keys", () -> send(link));
    PrintStream out = caller.out(); // never closed: it is shared
    try (RawTerminal raw = RawTerminal.take(caller)) {
      keys.start();
      for (byte[] part = link.receive(); part != null; part = link.receive()) {
        out.write(part);
        if (out.checkError()) { // which flushes
          throw new IOException("the terminal is gone");
        }
      }
    } finally {
      link.over();
      keys.interrupt();
    }
  }

  private void send(TaskLink link) {
    TerminalStream.Size last = null;
    try {
      while (!link.isOver()) {
        TerminalStream.Size size = terminal.size();
        if (!size.equals(last)) {
          link.resize(size.rows(), size.columns());
          last = size;
        }
        byte[] typed = keyboard.next(LOOK_MILLIS);
        if (typed != null) {
          link.send(typed, false);
        }
      }
    } catch (IOException gone) {
      // what is received says why
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What is typed at this terminal. A thread reads it, one part at a time; it cannot be stopped
   * while it waits for a key, so it lives as long as the command.
   */
  private static final class KeyboardReader {

    private static final int PART = 4096;

    private final SynchronousQueue<byte[]> typed = new SynchronousQueue<>();
    private final InputStream in;
    private boolean started;

    /**
     * @param in never closed: it is shared
     */
    KeyboardReader(InputStream in) {
      this.in = in;
    }

    /** Returns what was typed next; null if nothing is for this long. */
    byte[] next(long millis) throws InterruptedException {
      if (!started) {
        started = true;
        DaemonThread.start("keyboard", this::read);
      }
      return typed.poll(millis, TimeUnit.MILLISECONDS);
    }

    private void read() {
      byte[] buffer = new byte[PART];
      try {
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          typed.put(Arrays.copyOf(buffer, count));
        }
      } catch (IOException hungUp) {
        // the signal for it ends the command
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
