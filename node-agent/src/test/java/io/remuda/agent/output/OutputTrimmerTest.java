package io.remuda.agent.output;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are kept within 256 KiB: the first 64 KiB and the newest 128 KiB at least. */
class OutputTrimmerTest {
  private static final int KIB = 1 << 10;
  private static final OutputLimit LIMIT = new OutputLimit(256 * KIB);

  private final List<String> warnings = new ArrayList<>();
  private final OutputTrimmer trimmer = trimmer(new FallocateHolePuncher());

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("out");
  }

  private OutputTrimmer trimmer(HolePuncher holes) {
    return new OutputTrimmer(LIMIT, holes, warnings::add);
  }

  /** Bytes that tell where they stand. */
  private static byte[] bytes(long from, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      long at = from + i;
      bytes[i] = (byte) (at % 251 + 1); // never 0, as a hole is
    }
    return bytes;
  }

  private void print(int length) throws IOException {
    long size = Files.exists(file) ? Files.size(file) : 0;
    Files.write(file, bytes(size, length), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static long kibibytesOnDisk(Path file) throws Exception {
    Process stat = new ProcessBuilder("stat", "--format=%b", file.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    return Long.parseLong(blocks.strip()) / 2;
  }

  private OutputFile.OutputSlice read(long offset) throws IOException {
    return new OutputFile(file).read(offset, 1 << 20);
  }

  @Test
  void a_file_within_the_limit_stays_as_it_is() throws Exception {
    print(256 * KIB);
    trimmer.trim(file);
    assertArrayEquals(bytes(0, 256 * KIB), read(0).bytes());
    assertEquals(List.of("out"), names());
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(one -> one.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void the_middle_of_a_file_that_is_too_large_is_given_back_and_the_rest_stands_where_it_stood()
      throws Exception {
    print(1000 * KIB);
    trimmer.trim(file);
    assertEquals(1000 * KIB, Files.size(file));
    assertTrue(kibibytesOnDisk(file) <= 256, kibibytesOnDisk(file) + " KiB");
    OutputFile.OutputSlice head = read(0);
    assertArrayEquals(bytes(0, 64 * KIB), head.bytes());
    assertEquals(0, head.dropped());
    OutputFile.OutputSlice tail = read(64 * KIB);
    assertEquals(872 * KIB, tail.offset());
    assertEquals((872 - 64) * KIB, tail.dropped());
    assertArrayEquals(bytes(872 * KIB, 128 * KIB), tail.bytes());
    assertEquals(List.of("out", "out.dropped"), names());
    assertEquals(List.of(), warnings);
  }

  @Test
  void a_file_that_goes_on_growing_has_one_hole_that_grows() throws Exception {
    for (int i = 0; i < 20; i++) {
      print(100 * KIB);
      trimmer.trim(file);
      assertTrue(kibibytesOnDisk(file) <= 256, kibibytesOnDisk(file) + " KiB");
    }
    assertArrayEquals(bytes(0, 64 * KIB), read(0).bytes());
    OutputFile.OutputSlice tail = read(64 * KIB);
    assertEquals(2000 * KIB, tail.offset() + tail.bytes().length);
    assertArrayEquals(bytes(tail.offset(), tail.bytes().length), tail.bytes());
    assertTrue(tail.bytes().length >= 128 * KIB);
  }

  @Test
  void what_is_asked_for_within_the_hole_or_from_the_end_is_told_as_dropped() throws IOException {
    print(1000 * KIB);
    trimmer.trim(file);
    OutputFile.OutputSlice within = read(500 * KIB);
    assertEquals(872 * KIB, within.offset());
    assertEquals(372 * KIB, within.dropped());
    OutputFile.OutputSlice behind = read(900 * KIB);
    assertEquals(900 * KIB, behind.offset());
    assertEquals(0, behind.dropped());
    OutputFile.OutputSlice last = read(-500 * KIB);
    assertEquals(872 * KIB, last.offset());
    assertEquals(372 * KIB, last.dropped());
    OutputFile.OutputSlice across = new OutputFile(file).read(60 * KIB, 100 * KIB);
    assertArrayEquals(bytes(60 * KIB, 4 * KIB), across.bytes());
  }

  @Test
  @Timeout(60) // it would wait for ever for a writer that failed
  void a_reader_that_follows_while_it_is_written_and_trimmed_gets_nothing_but_what_was_printed()
      throws Exception {
    int all = 16 << 20;
    AtomicBoolean printed = new AtomicBoolean();
    Files.createFile(file);
    Thread writer =
        new Thread(
            () -> {
              try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
                for (int at = 0; at < all; at += 10_000) {
                  out.write(bytes(at, Math.min(10_000, all - at)));
                }
                printed.set(true);
              } catch (IOException fault) {
                throw new AssertionError(fault);
              }
            });
    Thread trimming =
        new Thread(
            () -> {
              while (!printed.get()) {
                trimmer.trim(file);
              }
              trimmer.trim(file);
            });
    writer.start();
    trimming.start();
    long offset = 0;
    long dropped = 0;
    while (offset < all) {
      OutputFile.OutputSlice part = new OutputFile(file).read(offset, 50_000);
      assertEquals(offset + part.dropped(), part.offset());
      assertArrayEquals(bytes(part.offset(), part.bytes().length), part.bytes());
      dropped += part.dropped();
      offset = part.offset() + part.bytes().length;
    }
    writer.join();
    trimming.join();
    assertEquals(List.of(), warnings);
    assertTrue(kibibytesOnDisk(file) <= 256, kibibytesOnDisk(file) + " KiB");
    assertTrue(dropped <= all - 192 * KIB, dropped + " bytes");
  }

  @Test
  void where_no_holes_can_be_made_files_stay_whole_and_it_is_said_once() throws Exception {
    OutputTrimmer helpless =
        trimmer(
            path ->
                new HolePuncher.OpenFile() {
                  @Override
                  public void punch(DroppedRange range) throws IOException {
                    throw new HolesUnsupportedException("Operation not supported");
                  }

                  @Override
                  public void close() {
                    // nothing is open
                  }
                });
    print(1000 * KIB);
    helpless.trim(file);
    helpless.trim(file);
    Path other = Files.copy(file, folder.resolve("err"));
    helpless.trim(other);
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).contains("Operation not supported"), warnings.get(0));
    assertArrayEquals(bytes(0, 1000 * KIB), read(0).bytes());
    assertEquals(List.of("err", "out"), names());
  }

  @Test
  void a_file_that_cannot_be_opened_is_left_and_it_is_said_once() throws Exception {
    OutputTrimmer helpless =
        trimmer(
            path -> {
              throw new IOException("Permission denied");
            });
    print(1000 * KIB);
    helpless.trim(file);
    helpless.trim(file);
    assertEquals(
        List.of(file + " is not kept within its limit: java.io.IOException: Permission denied"),
        warnings);
    assertArrayEquals(bytes(0, 1000 * KIB), read(0).bytes());
  }

  @Test
  void a_hole_that_was_noted_but_not_made_is_made_by_the_next_agent() throws Exception {
    print(1000 * KIB);
    new DroppedRange(64 * KIB, 872 * KIB).write(file);
    assertTrue(kibibytesOnDisk(file) >= 1000);
    trimmer.trim(file);
    assertTrue(kibibytesOnDisk(file) <= 256, kibibytesOnDisk(file) + " KiB");
  }

  @Test
  void a_file_that_its_task_has_cut_off_is_all_there_again() throws Exception {
    print(1000 * KIB);
    trimmer.trim(file);
    Files.write(file, bytes(0, 100 * KIB)); // truncates
    assertArrayEquals(bytes(0, 100 * KIB), read(0).bytes());
    trimmer.trim(file);
    assertEquals(List.of("out"), names());
    print(156 * KIB);
    trimmer.trim(file);
    assertArrayEquals(bytes(0, 256 * KIB), read(0).bytes());
  }

  @Test
  void a_link_in_the_place_of_the_file_is_not_followed() throws Exception {
    Path own = folder.resolve("precious");
    Files.write(own, bytes(0, 1000 * KIB));
    Files.createSymbolicLink(file, own);
    trimmer.trim(file);
    assertArrayEquals(bytes(0, 1000 * KIB), Files.readAllBytes(own));
    assertThrows(IOException.class, () -> new FallocateHolePuncher().open(file));
  }

  @Test
  void a_file_that_is_gone_is_no_fault() throws Exception {
    trimmer.trim(file);
    print(1000 * KIB);
    trimmer.trim(file);
    Files.delete(file);
    trimmer.trim(file);
    trimmer.retain(Set.of());
    assertEquals(List.of(), warnings);
  }

  @Test
  void a_note_that_is_damaged_is_told_and_nothing_is_made_up() throws Exception {
    print(1000 * KIB);
    Files.writeString(folder.resolve("out.dropped"), "??");
    trimmer.trim(file);
    assertEquals(1, warnings.size());
    assertTrue(assertThrows(IOException.class, () -> read(0)).getMessage().contains("damaged"));
  }

  @Test
  void a_file_that_was_moved_is_not_read_under_its_old_name() {
    assertThrows(NoSuchFileException.class, () -> read(0));
  }
}
