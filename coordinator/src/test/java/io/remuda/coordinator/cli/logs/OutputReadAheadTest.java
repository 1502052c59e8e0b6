package io.remuda.coordinator.cli.logs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.client.RestClient.OutputChunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutputReadAheadTest {
  private static final int PART = OutputReadAhead.PART;

  private final byte[] output = new byte[9 * PART + 5];
  private final List<Long> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch several = new CountDownLatch(3);
  private long droppedFrom = Long.MAX_VALUE;
  private long droppedTo;
  private volatile String place;

  private OutputChunk answer(long offset) {
    asked.add(offset);
    several.countDown();
    long start = offset >= droppedFrom && offset < droppedTo ? droppedTo : offset;
    long end = start < droppedFrom ? Math.min(droppedFrom, output.length) : output.length;
    int to = (int) Math.min(end, start + PART);
    byte[] bytes = Arrays.copyOfRange(output, (int) start, to);
    return new OutputChunk(bytes, start, output.length, start - offset, false, place);
  }

  private byte[] read() throws IOException {
    new Random(7).nextBytes(output);
    OutputReadAhead parts = new OutputReadAhead(this::answer);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (long offset = 0; offset < output.length; ) {
      OutputChunk part = parts.from(offset);
      all.writeBytes(part.bytes());
      offset = part.offset() + part.bytes().length;
    }
    return all.toByteArray();
  }

  @Test
  void all_parts_come_in_their_order_each_asked_for_once() throws IOException {
    assertArrayEquals(output, read());
    assertEquals(10, asked.size());
  }

  @Test
  void behind_a_dropped_range_reading_goes_on_where_there_is_something() throws IOException {
    droppedFrom = 2 * PART + 100;
    droppedTo = 5 * PART + 3;
    byte[] read = read();
    byte[] kept = new byte[output.length - (int) (droppedTo - droppedFrom)];
    System.arraycopy(output, 0, kept, 0, (int) droppedFrom);
    System.arraycopy(
        output, (int) droppedTo, kept, (int) droppedFrom, output.length - (int) droppedTo);
    assertArrayEquals(kept, read);
  }

  @Test
  void several_parts_are_under_way_unless_the_client_reads_the_rest_itself() throws Exception {
    OutputReadAhead parts = new OutputReadAhead(this::answer);
    place = "1 2 7.2.1 /n";
    parts.from(0);
    assertEquals(List.of(0L), asked);
    place = null;
    parts.from(PART);
    assertTrue(several.await(60, TimeUnit.SECONDS));
  }

  @Test
  void a_part_that_cannot_be_had_is_a_fault_when_it_is_wanted_and_may_be_asked_for_again()
      throws IOException {
    CountDownLatch failures = new CountDownLatch(1);
    OutputReadAhead parts =
        new OutputReadAhead(
            offset -> {
              if (offset == PART && failures.getCount() > 0) {
                failures.countDown();
                throw new IOException("away");
              }
              return answer(offset);
            });
    parts.from(0);
    assertEquals("away", assertThrows(IOException.class, () -> parts.from(PART)).getMessage());
    assertEquals(PART, parts.from(PART).offset());
  }
}
