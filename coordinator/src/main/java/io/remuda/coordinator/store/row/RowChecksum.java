package io.remuda.coordinator.store.row;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Checksum of a row's columns. SQLite's pages have none, so a flipped bit would go unnoticed. It
 * includes the kind and length of each value, so that shifted values change it.
 */
public final class RowChecksum {

  private RowChecksum() {}

  /** Returns the checksum of values that are null, numbers, text or bytes. */
  public static long of(Object... columns) {
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
