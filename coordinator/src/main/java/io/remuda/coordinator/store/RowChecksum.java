package io.remuda.coordinator.store;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Checksum of a row's columns. SQLite's pages carry none, so a flipped bit would go unnoticed. Each
 * value goes in with its kind and length, so that no two rows look alike by shifting.
 */
final class RowChecksum {

  private RowChecksum() {}

  /** Of values that are null, numbers, text or bytes. */
  static long of(Object... columns) {
    CRC32C crc = new CRC32C();
    for (Object column : columns) {
      add(crc, column);
    }
    return crc.getValue();
  }

  private static void add(CRC32C crc, Object column) {
    byte[] bytes;
    if (column == null) {
      crc.update('n');
      return;
    } else if (column instanceof byte[] raw) {
      crc.update('b');
      bytes = raw;
    } else if (column instanceof Number) {
      crc.update('i');
      bytes = column.toString().getBytes(StandardCharsets.US_ASCII);
    } else {
      crc.update('t');
      bytes = column.toString().getBytes(StandardCharsets.UTF_8);
    }
    crc.update(bytes.length & 0xff);
    crc.update(bytes.length >>> 8 & 0xff);
    crc.update(bytes.length >>> 16 & 0xff);
    crc.update(bytes);
  }
}
