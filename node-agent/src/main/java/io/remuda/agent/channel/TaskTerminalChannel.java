package io.remuda.agent.channel;

import io.remuda.agent.output.RegularFile;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The terminal that is all three streams of a task. What comes from it is also the task's output,
 * which its node keeps. If the client is gone, the terminal hangs up.
 */
final class TaskTerminalChannel implements TaskChannel {

  private final TerminalPair terminal;
  private final Path output;

  /** Open since the keeper has made the file: before that no program runs. */
  private OutputStream copy;

  private boolean attemptEnded;

  private TaskTerminalChannel(TerminalPair terminal, Path output) {
    this.terminal = terminal;
    this.output = output;
  }

  /**
   * Makes a terminal.
   *
   * @param link becomes a link to it, which the keeper opens
   * @param output file of the task's output, which the keeper makes
   */
  static TaskTerminalChannel make(Path link, Path output, StandardStreamTerms.Size size)
      throws IOException {
    TerminalPair terminal = TerminalPair.open();
    try {
      terminal.resize(size.rows(), size.columns());
      if (Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
        Files.delete(link); // of an earlier preparation
      }
      Files.createSymbolicLink(link, terminal.path());
      return new TaskTerminalChannel(terminal, output);
    } catch (IOException failure) {
      terminal.hangUp();
      throw failure;
    }
  }

  @Override
  public int write(byte[] bytes, int from) throws IOException {
    return terminal.write(bytes, from);
  }

  /** The client is gone. */
  @Override
  public void endInput() {
    terminal.hangUp();
  }

  @Override
  public int read(byte[] into) throws IOException {
    if (!isBegun() && !attemptEnded) {
      return 0;
    }
    int count = terminal.read(into);
    if (count > 0 && copy != null) {
      copy.write(into, 0, count);
    }
    return count == 0 && attemptEnded ? ENDED : count;
  }

  private boolean isBegun() throws IOException {
    if (copy == null && Files.exists(output)) {
      copy = RegularFile.append(output);
    }
    return copy != null;
  }

  @Override
  public int unread() {
    return 0; // not known
  }

  @Override
  public void resize(int rows, int columns) {
    terminal.resize(rows, columns);
  }

  @Override
  public void attemptEnded() throws IOException {
    isBegun(); // before the folder is moved
    attemptEnded = true;
    terminal.endPrograms();
  }

  @Override
  public void close() throws IOException {
    terminal.hangUp();
    if (copy != null) {
      copy.close();
    }
  }
}
