package io.remuda.agent.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final SpawnRequest REQUEST =
      Requests.in(Path.of("/tmp/ü")).lending("GPU-1", "GPU-2").leasedFor(7).run("k", "a", "", "ß");

  @Test
  void a_request_goes_round() {
    FrameReader frame = read(new FrameWriter(KeeperProtocol.SPAWN, 9).request(REQUEST).frame());

    assertEquals(KeeperProtocol.SPAWN, frame.kind());
    assertEquals(9, frame.id());
    assertEquals(REQUEST, frame.request());
    frame.end();
  }

  @Test
  void views_go_round() {
    ExitRecord code = new ExitRecord("k", 1, 2, new ExitStatus.Code(3), 4, 5, 6, 7, true, false, 8);
    ExitRecord signal =
        new ExitRecord("k", 1, 2, new ExitStatus.Signal(9, true), 4, 5, 6, 7, false, true, 8);
    for (TaskView view :
        List.of(
            new TaskView("k", 1, 2, TaskView.State.RUNNING, null),
            new TaskView("k", 1, 2, TaskView.State.ENDING, null),
            new TaskView("k", 1, 2, TaskView.State.EXITED, code),
            new TaskView("k", 1, 2, TaskView.State.EXITED, signal))) {
      FrameReader frame = read(new FrameWriter(KeeperProtocol.EXITED, 0).view(view).frame());
      assertEquals(view, frame.view());
      frame.end();
    }
  }

  @Test
  void a_cut_frame_is_malformed() {
    byte[] whole = new FrameWriter(KeeperProtocol.SPAWN, 9).request(REQUEST).frame();
    for (int length = 4; length < whole.length; length++) {
      byte[] cut = Arrays.copyOfRange(whole, 4, length);
      assertThrows(FrameReader.Malformed.class, () -> new FrameReader(cut).request());
    }
  }

  @Test
  void random_bytes_are_malformed_or_a_wrong_request_and_nothing_else() {
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      byte[] whole = new FrameWriter(KeeperProtocol.SPAWN, 9).request(REQUEST).frame();
      byte[] body = Arrays.copyOfRange(whole, 4, whole.length);
      for (int flips = 0; flips < 3; flips++) {
        body[random.nextInt(body.length)] = (byte) random.nextInt();
      }
      try {
        FrameReader frame = new FrameReader(body);
        frame.request();
        frame.end();
      } catch (FrameReader.Malformed | IllegalArgumentException expected) {
        continue;
      }
    }
  }

  @Test
  void what_follows_the_last_field_is_malformed() {
    FrameReader frame = read(new FrameWriter(KeeperProtocol.LIST, 1).number(1).frame());
    assertThrows(FrameReader.Malformed.class, frame::end);
  }

  private static FrameReader read(byte[] frame) {
    return new FrameReader(Arrays.copyOfRange(frame, 4, frame.length));
  }
}
