package io.remuda.coordinator.cli.top;

import io.remuda.agent.commandline.Caller;
import java.io.IOError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.ClosedException;
import org.jline.utils.Curses;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * A terminal that shows a picture, redraws it after changes, and reads keys. At the end it shows
 * its previous content again, also after Ctrl-C and SIGTERM. One thread.
 */
public final class TopScreen implements AutoCloseable {

  private static final long LOOK_MILLIS = 100;
  private static final int INTERRUPTED = 130;
  private static final long MOMENT_MILLIS = 1000;
  private static final int SIGNAL_BASE = 128;

  /**
   * Signals that end the screen in order. If they ended the JVM, JLine would restore the terminal
   * at the same time as this class, and may set it raw once more.
   */
  private static final List<String> SIGNALS = List.of("TERM", "HUP");

  private final Caller caller;
  private final Terminal terminal;
  private final Attributes before;

  /** The output of {@code stty -g}; empty if it fails. */
  private final String settings = stty("-g");

  private final Display display;
  private final byte[] leave;
  private final boolean colour;
  private final Thread onExit = new Thread(this::restore, "top-restore");
  private volatile boolean resized = true;
  private volatile boolean interrupted;
  private volatile int code = INTERRUPTED;
  private boolean restored;
  private final TopDialog dialog;
  private JobCursor cursor = JobCursor.FIRST;
  private List<TopScreenData.Job> shownJobs = List.of();
  private ScrollPosition scroll = ScrollPosition.TOP;
  private TopLayout layout;
  private TopCurves curves = TopCurves.NONE;
  private List<TopScreenData.Gpu> shownGpus = List.of();

  private TopScreen(Caller caller, Terminal terminal, boolean colour, TopActions actions) {
    this.caller = caller;
    this.dialog = new TopDialog(actions);
    this.terminal = terminal;
    this.colour = colour;
    terminal.handle(Signal.INT, signal -> interrupted = true);
    terminal.handle(Signal.WINCH, signal -> resized = true);
    caller.process().onSignals(SIGNALS, this::end);
    terminal.handle(Signal.TSTP, Terminal.SignalHandler.SIG_IGN); // TSTP would leave it raw
    before = terminal.enterRawMode();
    leave = leaving();
    caller.process().addShutdownHook(onExit);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.keypad_xmit);
    terminal.puts(Capability.cursor_invisible);
    display = new Display(terminal, true);
  }

  /**
   * Opens the terminal of standard input and output. JLine's provider {@code exec} controls it
   * through {@code stty}; other providers unpack a native library.
   *
   * @param caller whose terminal it is
   * @param colour whether to use colours and emphasis
   * @param actions what keys do with jobs
   * @throws IOException if the terminal cannot be used
   */
  public static TopScreen open(Caller caller, boolean colour, TopActions actions)
      throws IOException {
    try {
      return new TopScreen(
          caller,
          TerminalBuilder.builder()
              .system(true)
              .systemOutput(TerminalBuilder.SystemOutput.SysOut)
              .provider("exec")
              .dumb(false)
              .graphemeCluster(false) // it would ask the terminal, which may not answer
              .build(),
          colour,
          actions);
    } catch (IllegalStateException none) {
      throw new IOException(
          "cannot use the terminal (" + none.getMessage() + "): use remuda top --once", none);
    }
  }

  /**
   * Shows the pictures of a feed until the user quits or a signal comes; returns the exit code.
   *
   * @param curveFeed has the curves, as soon as there are any
   */
  public int show(TopFeed feed, CurveFeed curveFeed) throws IOException {
    try {
      return showAll(feed, curveFeed);
    } catch (IllegalStateException | IOError | ClosedException closed) {
      if (isEnding()) {
        return INTERRUPTED; // has no effect: the process is ending
      }
      throw closed;
    }
  }

  private int showAll(TopFeed feed, CurveFeed curveFeed) throws IOException {
    TopFeed.PictureUpdate shown = null;
    while (!interrupted) {
      TopFeed.PictureUpdate news = feed.news();
      if (resized || news != shown || curves != curveFeed.curves()) {
        curves = curveFeed.curves();
        draw(news, feed.isPaused());
        shown = news;
        curveFeed.want(onScreen(news.picture().at()));
      }
      if (dialog.isTyping()) {
        int typed = terminal.reader().read(LOOK_MILLIS);
        if (typed != NonBlockingReader.READ_EXPIRED) {
          if (!dialog.type(typed)) {
            return INTERRUPTED;
          }
          feed.all(!dialog.filter().isAll());
          shown = null;
        }
        continue;
      }
      TopKey key = TopKey.read(millis -> terminal.reader().read(millis), LOOK_MILLIS);
      if (dialog.press(key, scroll.ofJobs() ? cursor.job() : 0)) {
        shown = null;
      } else if (key == TopKey.QUIT) {
        return 0;
      } else if (key == TopKey.INTERRUPT) {
        return INTERRUPTED;
      } else if (key == TopKey.PAUSE) {
        feed.pause(!feed.isPaused());
        shown = null;
      } else if (key != TopKey.NONE) {
        move(key);
        shown = null;
      }
    }
    return code;
  }

  /** Scrolls the GPUs, or chooses a job, which scrolls the jobs with it. */
  private void move(TopKey key) {
    if (scroll.ofJobs() && key != TopKey.TAB) {
      cursor = cursor.after(key, shownJobs, layout.jobs().shown());
    } else {
      scroll = scroll.after(key, layout);
    }
  }

  /** Ends the screen; a second signal ends the program at once. */
  private void end(String name, int number) {
    if (interrupted) {
      caller.process().halt(SIGNAL_BASE + number);
    }
    code = SIGNAL_BASE + number;
    interrupted = true;
  }

  private void draw(TopFeed.PictureUpdate news, boolean paused) {
    if (resized) {
      resized = false;
      Size size = terminal.getSize();
      display.resize(Math.max(1, size.getRows()), Math.max(1, size.getColumns()));
      display.clear();
    }
    List<AttributedString> lines =
        dialog
            .page()
            .map(page -> TopLines.page(page, display.getColumns(), display.getRows()))
            .orElseGet(() -> lines(news, paused));
    display.update(colour ? lines : lines.stream().map(TopScreen::plain).toList(), 0);
  }

  private List<AttributedString> lines(TopFeed.PictureUpdate news, boolean paused) {
    TopScreenData picture = dialog.filter().of(news.picture());
    shownJobs = picture.jobs();
    shownGpus = picture.gpus();
    cursor = cursor.in(shownJobs);
    layout = layout(picture);
    if (scroll.ofJobs()) {
      int first = cursor.scrolled(layout.jobs().first(), layout.jobs().shown());
      scroll = new ScrollPosition(scroll.gpus(), first, true);
      layout = layout(picture);
    }
    String told = dialog.line();
    return TopLines.screen(
        picture,
        curves,
        display.getColumns(),
        display.getRows(),
        layout,
        scroll,
        scroll.ofJobs() ? cursor.job() : 0,
        ZoneId.systemDefault(),
        !told.isEmpty() ? told : paused ? "paused: p continues" : news.fault());
  }

  private CurveFeed.OnScreen onScreen(Instant at) {
    return new CurveFeed.OnScreen(
        at,
        part(shownGpus, layout.gpus()).stream()
            .map(TopScreenData.Gpu::uuid)
            .filter(uuid -> !uuid.isEmpty())
            .toList(),
        part(shownJobs, layout.jobs()).stream()
            .filter(job -> !job.isBefore())
            .map(TopScreenData.Job::id)
            .toList());
  }

  private static <T> List<T> part(List<T> all, TopLayout.VisibleRange range) {
    int first = Math.min(range.first(), all.size());
    return all.subList(first, Math.min(all.size(), first + range.shown()));
  }

  private TopLayout layout(TopScreenData picture) {
    int jobs = picture.running() + picture.waiting();
    return TopLayout.of(
        display.getRows(), picture.gpus().size(), picture.jobs().size(), jobs, scroll);
  }

  private static AttributedString plain(AttributedString line) {
    return new AttributedString(line.toString());
  }

  private synchronized void restore() {
    if (restored) {
      return;
    }
    restored = true;
    notifyAll();
    boolean open = true;
    try {
      terminal.flush();
      terminal.setAttributes(before);
    } catch (IllegalStateException | IOError closed) { // by JLine's own shutdown hook
      open = false;
    }
    if (!open && !settings.isEmpty()) {
      stty(settings);
    }
    caller.out().write(leave, 0, leave.length);
    caller.out().flush();
  }

  /** Returns the bytes that restore the screen without {@code terminal}, which may be closed. */
  private byte[] leaving() {
    StringBuilder words = new StringBuilder();
    for (Capability each :
        List.of(
            Capability.cursor_normal,
            Capability.keypad_local,
            Capability.clear_screen, // tmux would keep some lines of a screen that has grown
            Capability.exit_ca_mode)) {
      String word = terminal.getStringCapability(each);
      if (word != null) {
        Curses.tputs(words, word);
      }
    }
    return words.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns whether the process is ending, which closes the terminal; waits up to a second. */
  private synchronized boolean isEnding() {
    try {
      if (!restored) {
        wait(MOMENT_MILLIS);
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
    return restored;
  }

  private static String stty(String argument) {
    try {
      Process stty =
          new ProcessBuilder("stty", argument)
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
    } catch (IOException none) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    restore();
    try {
      caller.process().removeShutdownHook(onExit);
    } catch (IllegalStateException ending) {
      return; // the process is ending, and the hook has nothing left to do
    }
    terminal.close();
  }
}
