package io.remuda.coordinator.curve;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.remuda.agent.protocol.AgentMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** The stored forms of curves and of what was reported: CBOR, that of curves compressed. */
final class CurveCodec {

  private static final ObjectMapper CBOR =
      CBORMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** Bytes of a stored attempt that are believed. */
  private static final int MOST_BYTES = 16 << 20;

  private record Stored(
      Map<String, TaskCurve.Stored> reported,
      List<TaskCurves.Reading> readings,
      Map<String, String> notes,
      long until) {}

  /** Curves, and how far what they are made of is kept. */
  record Kept(TaskCurves curves, long until) {}

  private CurveCodec() {}

  static byte[] bytes(AgentMessage.Metrics reported) throws IOException {
    return CBOR.writeValueAsBytes(reported);
  }

  static AgentMessage.Metrics reported(byte[] bytes) throws IOException {
    return CBOR.readValue(bytes, AgentMessage.Metrics.class);
  }

  /**
   * Returns the stored form of curves.
   *
   * @param level of {@link Deflater}
   */
  static byte[] bytes(Kept kept, int level) throws IOException {
    Map<String, TaskCurve.Stored> reported = new HashMap<>();
    kept.curves().reported().forEach((name, curve) -> reported.put(name, curve.stored()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(level);
    try (OutputStream deflated = new DeflaterOutputStream(bytes, deflater)) {
      CBOR.writeValue(
          deflated,
          new Stored(reported, kept.curves().readings(), kept.curves().notes(), kept.until()));
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  static Kept kept(String attempt, byte[] bytes) throws IOException {
    Stored stored;
    try (InputStream inflated = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
      stored = CBOR.readValue(inflated.readNBytes(MOST_BYTES), Stored.class);
    }
    Map<String, TaskCurve> reported = new HashMap<>();
    stored.reported().forEach((name, curve) -> reported.put(name, TaskCurve.of(curve)));
    return new Kept(
        new TaskCurves(attempt, reported, stored.readings(), stored.notes()), stored.until());
  }
}
