package io.remuda.agent.keeper.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameAssemblerTest {
  private final FrameAssembler frames = new FrameAssembler();
  private final List<String> whole = new ArrayList<>();

  private void take(byte[] bytes, int from, int length) throws IOException {
    frames.take(
        ByteBuffer.wrap(bytes, from, length),
        frame -> whole.add(new String(frame, StandardCharsets.UTF_8)));
  }

  private static byte[] stream(String... texts) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (String text : texts) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      stream.write(ByteBuffer.allocate(Integer.BYTES).putInt(body.length).array());
      stream.write(body);
    }
    return stream.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 11, 1000})
  void frames_are_whole_however_the_bytes_come(int atOnce) throws IOException {
    byte[] stream = stream("one", "", "a longer one", "x");
    for (int i = 0; i < stream.length; i += atOnce) {
      take(stream, i, Math.min(atOnce, stream.length - i));
    }
    assertEquals(List.of("one", "", "a longer one", "x"), whole);
  }

  @Test
  void a_frame_that_is_too_long_is_refused_before_it_comes() {
    byte[] announced = ByteBuffer.allocate(4).putInt(KeeperProtocol.FRAME_LIMIT + 1).array();
    IOException refused = assertThrows(IOException.class, () -> take(announced, 0, 4));
    assertEquals("frame of " + (KeeperProtocol.FRAME_LIMIT + 1) + " bytes", refused.getMessage());
    byte[] negative = ByteBuffer.allocate(4).putInt(-1).array();
    assertThrows(
        IOException.class, () -> new FrameAssembler().take(ByteBuffer.wrap(negative), whole -> {}));
  }
}
