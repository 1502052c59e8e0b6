package io.remuda.coordinator.client;

import io.remuda.agent.attempt.StoredOutputReader;
import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.agent.output.OutputFile.OutputSlice;
import io.remuda.agent.protocol.OutputPlace;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.settings.FolderOwnershipCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file of an output whose node is on this machine, read without the server. The node has named
 * the file to a client that may read the output, and the client reads it if it is this file, in a
 * folder of its own account.
 */
public final class LocalOutputFile {

  private static final int PART = 256 << 10;

  private final OutputPlace place;
  private final OutputStreamName stream;

  private LocalOutputFile(OutputPlace place, OutputStreamName stream) {
    this.place = place;
    this.stream = stream;
  }

  /** Returns what a request for output has in addition, so that it is answered with a place. */
  public static String query() {
    String machine = PidScope.here();
    return machine.isEmpty() ? "" : "&machine=" + machine;
  }

  /**
   * Returns the file that a node has named; empty if it cannot be read here.
   *
   * @param place as the node has named it, or null
   */
  public static Optional<LocalOutputFile> of(String place, OutputStreamName stream) {
    Optional<OutputPlace> read = OutputPlace.parse(place);
    try {
      if (read.isPresent()) {
        FolderOwnershipCheck.requirePrivate(Path.of(read.get().folder()), "--folder");
      }
    } catch (IOException notOurs) {
      return Optional.empty();
    }
    return read.map(known -> new LocalOutputFile(known, stream));
  }

  /**
   * Reads the next part.
   *
   * @param from offset of the first byte
   * @param end offset before which it ends at the latest
   * @throws IOException if the file is gone, is another one, or cannot be read
   */
  public OutputSlice read(long from, long end) throws IOException {
    return StoredOutputReader.read(place, stream, from, (int) Math.min(PART, end - from));
  }
}
