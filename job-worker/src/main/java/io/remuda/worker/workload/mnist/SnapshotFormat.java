package io.remuda.worker.workload.mnist;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The bytes of a snapshot: magic, version, length of the body, body, CRC32C of all before it. All
 * numbers are little-endian; the layout is in {@code docs/training.md}. The checksum finds damage,
 * not forgery.
 */
final class SnapshotFormat {

  /** The version that this build writes, and the only one that it reads. */
  static final int VERSION = 1;

  private static final byte[] MAGIC = "RemudaTS".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER = MAGIC.length + Integer.BYTES + Long.BYTES;
  private static final int CHECKSUM = Integer.BYTES;
  private static final int REPORT = 2 * Integer.BYTES + 4 * Double.BYTES;

  private SnapshotFormat() {}

  /** Returns a snapshot's bytes, about 14.4 MB for {@link MnistNet}. */
  static byte[] encode(TrainingSnapshot snapshot) {
    int body = bodyLength(snapshot);
    ByteBuffer out = ByteBuffer.allocate(HEADER + body + CHECKSUM).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).putInt(VERSION).putLong(body);
    putTable(out, snapshot.settings());
    putTable(out, snapshot.circumstances());
    out.putDouble(snapshot.rate());
    out.putInt(snapshot.reports().size());
    snapshot.reports().forEach(report -> putReport(out, report));
    out.putInt(snapshot.states().size());
    snapshot.states().forEach((name, bytes) -> putBytes(putText(out, name), bytes));
    out.putInt(checksum(out.array(), HEADER + body));
    return out.array();
  }

  /**
   * Reads a snapshot from the bytes of a file.
   *
   * @throws SnapshotDamagedException if they are no whole snapshot
   * @throws SnapshotRefusedException if they are a snapshot of another version
   */
  static TrainingSnapshot decode(byte[] bytes)
      throws SnapshotDamagedException, SnapshotRefusedException {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    checkFrame(in, bytes);
    try {
      TrainingSnapshot snapshot = body(in.limit(bytes.length - CHECKSUM));
      if (in.hasRemaining()) {
        throw new SnapshotDamagedException(in.remaining() + " bytes follow its last state");
      }
      return snapshot;
    } catch (BufferUnderflowException tooShort) {
      throw new SnapshotDamagedException("its body ends too early");
    }
  }

  private static void checkFrame(ByteBuffer in, byte[] bytes)
      throws SnapshotDamagedException, SnapshotRefusedException {
    if (bytes.length < HEADER + CHECKSUM) {
      throw new SnapshotDamagedException("it has only " + bytes.length + " bytes");
    }
    byte[] magic = new byte[MAGIC.length];
    in.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new SnapshotDamagedException("it does not begin as a snapshot does");
    }
    int version = in.getInt();
    long wanted = HEADER + in.getLong() + CHECKSUM;
    if (bytes.length != wanted) {
      throw new SnapshotDamagedException("it has " + bytes.length + " bytes instead of " + wanted);
    }
    checkSum(bytes);
    if (version != VERSION) {
      throw new SnapshotRefusedException(
          "is of version " + version + ", this build reads " + VERSION);
    }
  }

  private static void checkSum(byte[] bytes) throws SnapshotDamagedException {
    int end = bytes.length - CHECKSUM;
    int written = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    int computed = checksum(bytes, end);
    if (written != computed) {
      throw new SnapshotDamagedException(
          String.format("its checksum is %08x and its bytes give %08x", written, computed));
    }
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }

  private static TrainingSnapshot body(ByteBuffer in) throws SnapshotDamagedException {
    Map<String, String> settings = table(in);
    Map<String, String> circumstances = table(in);
    double rate = in.getDouble();
    List<EpochReport> reports = new ArrayList<>();
    for (int left = count(in, REPORT); left > 0; left--) {
      reports.add(report(in));
    }
    Map<String, byte[]> states = new LinkedHashMap<>();
    for (int left = count(in, 2 * Integer.BYTES); left > 0; left--) {
      states.put(text(in), bytes(in));
    }
    return new TrainingSnapshot(settings, circumstances, rate, reports, states);
  }

  private static Map<String, String> table(ByteBuffer in) throws SnapshotDamagedException {
    Map<String, String> table = new LinkedHashMap<>();
    for (int left = count(in, 2 * Integer.BYTES); left > 0; left--) {
      table.put(text(in), text(in));
    }
    return table;
  }

  private static String text(ByteBuffer in) throws SnapshotDamagedException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ByteBuffer in) throws SnapshotDamagedException {
    byte[] bytes = new byte[count(in, 1)];
    in.get(bytes);
    return bytes;
  }

  private static EpochReport report(ByteBuffer in) {
    return new EpochReport(
        in.getInt(), in.getInt(), in.getDouble(), in.getDouble(), in.getDouble(), in.getDouble());
  }

  /** Reads a number of elements; {@code least} is the least number of bytes of one. */
  private static int count(ByteBuffer in, int least) throws SnapshotDamagedException {
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / least) {
      throw new SnapshotDamagedException(count + " elements do not fit into the rest of its body");
    }
    return count;
  }

  private static int bodyLength(TrainingSnapshot snapshot) {
    int length = tableLength(snapshot.settings()) + tableLength(snapshot.circumstances());
    length += Double.BYTES + Integer.BYTES + REPORT * snapshot.reports().size() + Integer.BYTES;
    for (Map.Entry<String, byte[]> state : snapshot.states().entrySet()) {
      length += textLength(state.getKey()) + Integer.BYTES + state.getValue().length;
    }
    return length;
  }

  private static int tableLength(Map<String, String> table) {
    int length = Integer.BYTES;
    for (Map.Entry<String, String> row : table.entrySet()) {
      length += textLength(row.getKey()) + textLength(row.getValue());
    }
    return length;
  }

  private static int textLength(String text) {
    return Integer.BYTES + text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void putTable(ByteBuffer out, Map<String, String> table) {
    out.putInt(table.size());
    table.forEach((name, value) -> putText(putText(out, name), value));
  }

  private static ByteBuffer putText(ByteBuffer out, String text) {
    return putBytes(out, text.getBytes(StandardCharsets.UTF_8));
  }

  private static ByteBuffer putBytes(ByteBuffer out, byte[] bytes) {
    return out.putInt(bytes.length).put(bytes);
  }

  private static void putReport(ByteBuffer out, EpochReport report) {
    out.putInt(report.epoch()).putInt(report.epochs());
    out.putDouble(report.trainLoss()).putDouble(report.testLoss());
    out.putDouble(report.accuracy()).putDouble(report.seconds());
  }
}
