package io.remuda.worker.workload.mnist.data;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The checksum published with MNIST; it detects corruption, not attacks. */
final class Md5Checksum {

  private Md5Checksum() {}

  /** Returns the MD5 in lower-case hexadecimal. */
  static String of(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
