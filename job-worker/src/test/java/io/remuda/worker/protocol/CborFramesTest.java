package io.remuda.worker.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.remuda.worker.protocol.WorkerEvent.ItemFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CborFramesTest {
  private static final List<WorkerEvent> EVENTS =
      List.of(
          new WorkerEvent.Said("trains on the CPU: no device – 1 µs"),
          new WorkerEvent.EpochDone(1, 14, 0.25, 0.05, 98.5, 12.75),
          new WorkerEvent.ItemsWanted(),
          new WorkerEvent.ItemsDone(32, 64, List.of(new ItemFailure(40, "NaN"))),
          new WorkerEvent.Trained(0.5, 0.02791020164489746, 99.1),
          new WorkerEvent.Stopped(3, 14),
          new WorkerEvent.PoolDone(512),
          new WorkerEvent.Failed("DataException: no file"));
  private static final List<FromWorker> FROM_WORKER =
      List.of(
          new FromWorker.Alive(3, 938, "epoch 1/14"),
          new FromWorker.Happened(7, new WorkerEvent.ItemsWanted()));
  private static final List<ToWorker> TO_WORKER =
      List.of(
          new ToWorker.Acknowledged(Long.MAX_VALUE),
          new ToWorker.ItemsGranted(3, 0, 32),
          new ToWorker.NoMoreItems(4),
          new ToWorker.StopAfterEpoch());

  private static void assertComplete(Class<?> sealed, List<?> samples) {
    assertEquals(
        Set.of(sealed.getPermittedSubclasses()),
        samples.stream().map(Object::getClass).collect(Collectors.toSet()));
  }

  private static DataInputStream stream(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  private static <T> T throughTheWire(T frame, Class<T> type) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CborFrames.write(out, frame);
    return CborFrames.read(stream(out.toByteArray()), type);
  }

  @Test
  void every_frame_of_a_worker_arrives_as_it_was_sent() throws IOException {
    assertComplete(FromWorker.class, FROM_WORKER);
    for (FromWorker frame : FROM_WORKER) {
      assertEquals(frame, throughTheWire(frame, FromWorker.class));
    }
  }

  @Test
  void every_frame_to_a_worker_arrives_as_it_was_sent() throws IOException {
    assertComplete(ToWorker.class, TO_WORKER);
    for (ToWorker frame : TO_WORKER) {
      assertEquals(frame, throughTheWire(frame, ToWorker.class));
    }
  }

  @Test
  void every_event_arrives_as_it_was_sent() throws IOException {
    assertComplete(WorkerEvent.class, EVENTS);
    for (WorkerEvent event : EVENTS) {
      FromWorker frame = new FromWorker.Happened(1, event);
      assertEquals(frame, throughTheWire(frame, FromWorker.class));
    }
  }

  @Test
  void results_and_failures_are_the_last_events() {
    assertEquals(
        Set.of(
            WorkerEvent.Stopped.class,
            WorkerEvent.Trained.class,
            WorkerEvent.PoolDone.class,
            WorkerEvent.Failed.class),
        EVENTS.stream()
            .filter(WorkerEvent::isLast)
            .map(Object::getClass)
            .collect(Collectors.toSet()));
  }

  @Test
  void frames_follow_each_other_on_one_stream() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (ToWorker frame : TO_WORKER) {
      CborFrames.write(out, frame);
    }
    DataInputStream in = stream(out.toByteArray());
    for (ToWorker frame : TO_WORKER) {
      assertEquals(frame, CborFrames.read(in, ToWorker.class));
    }
    assertNull(CborFrames.read(in, ToWorker.class));
  }

  @Test
  void a_frame_longer_than_allowed_is_refused_before_it_is_read() {
    byte[] length = ByteBuffer.allocate(4).putInt(CborFrames.MAX_LENGTH + 1).array();
    String message = refusal(length);
    assertTrue(message.contains(Integer.toString(CborFrames.MAX_LENGTH + 1)), message);
  }

  @Test
  void a_length_that_is_no_length_is_refused() {
    assertTrue(refusal(new byte[4]).contains("frame of 0 bytes"));
    assertTrue(refusal(ByteBuffer.allocate(4).putInt(-1).array()).contains("frame of -1 bytes"));
  }

  @Test
  void a_frame_that_ends_early_is_an_error_and_not_the_end() throws IOException {
    byte[] whole = CborFrames.encode(TO_WORKER.get(1)).array();
    byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 1);
    assertThrows(IOException.class, () -> CborFrames.read(stream(cut), ToWorker.class));
  }

  @Test
  void an_unknown_field_is_ignored_and_an_unknown_frame_is_an_error() throws IOException {
    Map<String, Object> newer = new LinkedHashMap<>();
    newer.put("type", "ack");
    newer.put("sequence", 5);
    newer.put("since", "a later version");
    assertEquals(
        new ToWorker.Acknowledged(5), CborFrames.read(stream(frame(newer)), ToWorker.class));
    byte[] unknown = frame(Map.of("type", "pause"));
    assertThrows(IOException.class, () -> CborFrames.read(stream(unknown), ToWorker.class));
  }

  private static byte[] frame(Map<String, Object> value) throws IOException {
    byte[] body = new CBORMapper().writeValueAsBytes(value);
    return ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array();
  }

  private static String refusal(byte[] bytes) {
    return assertThrows(IOException.class, () -> CborFrames.read(stream(bytes), ToWorker.class))
        .getMessage();
  }
}
