package io.remuda.coordinator.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("attack")
@Tag("attack-bad-request")
@Timeout(120)
class HttpResponseBodyStreamTest {

  private static final Map<String, String> CHUNKED = Map.of("transfer-encoding", "chunked");

  private ByteArrayInputStream connection;
  private int handedBack;

  /** The body of an answer with these headers, followed by these bytes. */
  private HttpResponseBodyStream body(Map<String, String> headers, String bytes)
      throws IOException {
    connection = new ByteArrayInputStream(bytes.getBytes(US_ASCII));
    return new HttpResponseBodyStream(connection, headers, () -> handedBack++, null);
  }

  private static Map<String, String> length(String length) {
    return Map.of("content-length", length);
  }

  private void assertWhole(String text, HttpResponseBodyStream body) throws IOException {
    assertEquals(text, new String(body.readAllBytes(), US_ASCII));
    assertEquals(-1, body.read());
    body.close();
    assertEquals(1, handedBack, "the connection, once");
  }

  private void assertCutShort(String text, HttpResponseBodyStream body) throws IOException {
    assertEquals(text, new String(body.readNBytes(text.length()), US_ASCII));
    assertThrows(EOFException.class, body::read);
    assertEquals(0, handedBack);
  }

  private void assertNoHttp(Map<String, String> headers, String bytes) {
    IOException no =
        assertThrows(IOException.class, () -> body(headers, bytes).readAllBytes(), bytes);
    assertTrue(no.getMessage().contains("did not answer with HTTP"), no::getMessage);
    assertEquals(0, handedBack);
  }

  @Test
  void one_of_a_stated_length_ends_with_it() throws IOException {
    assertWhole("hello", body(length("5"), "hello"));
  }

  @Test
  void one_of_no_bytes_is_over_before_it_is_read() throws IOException {
    HttpResponseBodyStream body = body(length("0"), "");
    assertEquals(1, handedBack);
    assertWhole("", body);
  }

  @Test
  void bytes_beyond_the_stated_length_are_no_part_of_it() throws IOException {
    assertWhole("hello", body(length("5"), "hello, world"));
    assertEquals(", world", new String(connection.readAllBytes(), US_ASCII));
  }

  @Test
  void chunks_are_put_together_and_what_else_stands_there_is_not() throws IOException {
    String bytes = "5;note=x\r\nhello\r\nB\r\n, big world\r\n0\r\nTrailer: x\r\n\r\nHTTP";
    assertWhole("hello, big world", body(CHUNKED, bytes));
    assertEquals("HTTP", new String(connection.readAllBytes(), US_ASCII));
  }

  @Test
  void chunks_count_and_not_a_length_that_is_stated_besides() throws IOException {
    Map<String, String> both = Map.of("transfer-encoding", "chunked", "content-length", "3");
    assertWhole("hello", body(both, "5\r\nhello\r\n0\r\n\r\n"));
  }

  @Test
  void without_a_length_it_goes_on_to_the_end_of_the_connection() throws IOException {
    assertWhole("hello", body(Map.of(), "hello"));
  }

  @Test
  void one_that_was_cut_short_is_a_failure_and_not_a_short_answer() throws IOException {
    assertCutShort("hel", body(length("5"), "hel"));
    assertCutShort("", body(length("5"), ""));
    assertCutShort("hel", body(CHUNKED, "5\r\nhel"));
    assertCutShort("hello", body(CHUNKED, "5\r\nhello"));
    assertCutShort("hello", body(CHUNKED, "5\r\nhello\r\n"));
    assertCutShort("hello", body(CHUNKED, "5\r\nhello\r\n0\r\n"));
  }

  @Test
  void a_chunk_that_is_larger_than_announced_is_a_failure() {
    assertNoHttp(CHUNKED, "3\r\nhello\r\n0\r\n\r\n");
  }

  @Test
  void lengths_that_are_none_are_a_failure() {
    for (String wrong : new String[] {"", "-1", "x", "1.0", "0x5", "5 5", "9".repeat(40)}) {
      assertNoHttp(length(wrong), "hello");
      assertNoHttp(CHUNKED, wrong + "\r\nhello\r\n0\r\n\r\n");
    }
  }
}
