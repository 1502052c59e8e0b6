package io.remuda.agent.fuzz;

import io.remuda.worker.protocol.CborFrames;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.ToWorker;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * A stream of frames between a worker and its agent: each is refused, or says the same when it is
 * written again. The first byte says whose they are.
 */
public final class WorkerFuzz {

  private WorkerFuzz() {}

  /** One input of a fuzzer. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length > 0) {
      byte[] stream = Arrays.copyOfRange(data, 1, data.length);
      if ((data[0] & 1) == 0) {
        check(stream, FromWorker.class);
      } else {
        check(stream, ToWorker.class);
      }
    }
  }

  private static <T> void check(byte[] bytes, Class<T> type) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    T frame;
    do {
      int before = available(in);
      try {
        frame = CborFrames.read(in, type);
      } catch (IOException refused) {
        return;
      }
      if (frame == null && before >= Integer.BYTES) {
        throw new AssertionError("a frame is taken for the end of the stream");
      }
      if (frame != null) {
        checkAgain(frame, type);
      }
    } while (frame != null);
  }

  private static int available(DataInputStream in) {
    try {
      return in.available();
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static <T> void checkAgain(T frame, Class<T> type) {
    try {
      byte[] said = CborFrames.encode(frame).array();
      T again = CborFrames.read(new DataInputStream(new ByteArrayInputStream(said)), type);
      if (!Arrays.equals(said, CborFrames.encode(again).array())) {
        throw new AssertionError("says something else when it is written again: " + frame);
      }
    } catch (IOException fault) {
      throw new AssertionError("cannot be written or read again: " + frame, fault);
    }
  }
}
