package io.remuda.coordinator.cli.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.channel.AttachCommand.CarriageReturnFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CarriageReturnFilterTest {

  @ParameterizedTest
  @CsvSource({
    "'a<cr><lf>|b<cr><lf>', 'a<lf>b<lf>'",
    "'a<cr>|<lf>b', 'a<lf>b'",
    "'10 %<cr>20 %<cr><lf>', '10 %<cr>20 %<lf>'",
    "'<cr>|<cr><cr><lf>', '<cr><cr><lf>'",
    "'a<cr>', 'a<cr>'"
  })
  void lines_end_with_a_line_feed_alone_wherever_the_parts_are_cut(String parts, String written)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CarriageReturnFilter plain = new CarriageReturnFilter(out);
    for (String part : real(parts).split("\\|")) {
      plain.write(part.getBytes(StandardCharsets.UTF_8));
    }
    plain.end();
    assertEquals(real(written), out.toString(StandardCharsets.UTF_8));
  }

  private static String real(String text) {
    return text.replace("<cr>", "\r").replace("<lf>", "\n");
  }
}
