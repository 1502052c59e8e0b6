package io.remuda.coordinator.live;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonGenerator;
import io.remuda.json.PlainJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes moments as server-sent events. Not thread-safe. */
final class LiveEventWriter {

  /** A node or GPU that is another than before, with its place in the wall. */
  private record Placed<T>(int at, @JsonUnwrapped T what) {}

  /** All nodes and GPUs. */
  private record WallEvent(long time, List<WallNode> nodes, List<WallGpu> gpus) {}

  /** The server and its time. */
  private record ServerEvent(@JsonUnwrapped LiveMoment.Server server, long time) {}

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Returns the events that say all of a moment. */
  static byte[] all(LiveMoment now, String id) {
    LiveEventWriter writer = new LiveEventWriter();
    writer.event("server", new ServerEvent(now.server(), now.time()));
    writer.event("queue", now.queue());
    writer.event("jobs", now.jobs());
    writer.wall(now, id);
    return writer.bytes.toByteArray();
  }

  /** Returns the events that say what is other than in an earlier moment. */
  static byte[] changes(LiveMoment before, LiveMoment now, String id) {
    LiveEventWriter writer = new LiveEventWriter();
    if (!now.server().equals(before.server())) {
      writer.event("server", new ServerEvent(now.server(), now.time()));
    }
    if (!now.queue().equals(before.queue())) {
      writer.event("queue", now.queue());
    }
    if (!now.jobs().equals(before.jobs())) {
      writer.event("jobs", now.jobs());
    }
    if (now.wall().isSameWall(before.wall())) {
      writer.wallChange(before.wall(), now, id);
    } else {
      writer.wall(now, id);
    }
    return writer.bytes.toByteArray();
  }

  private void wall(LiveMoment now, String id) {
    id(id);
    event("wall", new WallEvent(now.time(), now.wall().nodes(), now.wall().gpus()));
  }

  /** Writes what is other; readings are arrays that begin with the place. */
  private void wallChange(WallPicture before, LiveMoment now, String id) {
    id(id);
    begin("wall-change");
    try (JsonGenerator out = PlainJson.MAPPER.createGenerator(bytes)) {
      out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      out.writeStartObject();
      out.writeNumberField("time", now.time());
      nodes(before.nodes(), now.wall().nodes(), out);
      gpus(before.gpus(), now.wall().gpus(), out);
      out.writeEndObject();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    text("\n\n");
  }

  private static void nodes(List<WallNode> before, List<WallNode> now, JsonGenerator out)
      throws IOException {
    out.writeArrayFieldStart("nodes");
    for (int at = 0; at < now.size(); at++) {
      if (!now.get(at).what().equals(before.get(at).what())) {
        PlainJson.MAPPER.writeValue(out, new Placed<>(at, now.get(at)));
      }
    }
    out.writeEndArray();
    out.writeArrayFieldStart("nodeReadings");
    for (int at = 0; at < now.size(); at++) {
      WallNode.Readings read = now.get(at).readings();
      if (now.get(at).what().equals(before.get(at).what())
          && !read.equals(before.get(at).readings())) {
        row(out, at, read.cpu(), read.usedMib(), read.load());
      }
    }
    out.writeEndArray();
  }

  private static void gpus(List<WallGpu> before, List<WallGpu> now, JsonGenerator out)
      throws IOException {
    out.writeArrayFieldStart("gpus");
    for (int at = 0; at < now.size(); at++) {
      if (!now.get(at).what().equals(before.get(at).what())) {
        PlainJson.MAPPER.writeValue(out, new Placed<>(at, now.get(at)));
      }
    }
    out.writeEndArray();
    out.writeArrayFieldStart("gpuReadings");
    for (int at = 0; at < now.size(); at++) {
      WallGpu.Readings read = now.get(at).readings();
      if (now.get(at).what().equals(before.get(at).what())
          && !read.equals(before.get(at).readings())) {
        row(
            out,
            at,
            read.utilization(),
            read.usedMib(),
            read.otherMib(),
            read.power(),
            read.temperature());
      }
    }
    out.writeEndArray();
  }

  private static void row(JsonGenerator out, int at, Number... values) throws IOException {
    out.writeStartArray();
    out.writeNumber(at);
    for (Number value : values) {
      if (value == null) {
        out.writeNull();
      } else if (value instanceof Double fraction) {
        out.writeNumber(fraction);
      } else {
        out.writeNumber(value.longValue());
      }
    }
    out.writeEndArray();
  }

  private void event(String name, Object data) {
    begin(name);
    try {
      bytes.write(PlainJson.MAPPER.writeValueAsBytes(data));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    text("\n\n");
  }

  private void begin(String name) {
    text("event: " + name + "\ndata: ");
  }

  /** Has the next event, which is the last, say what a reader then has. */
  private void id(String id) {
    text("id: " + id + "\n");
  }

  private void text(String text) {
    bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
