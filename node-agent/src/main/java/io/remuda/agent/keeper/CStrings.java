package io.remuda.agent.keeper;

import com.sun.jna.Memory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Java text as the C library takes it: UTF-8, ended by NUL. */
final class CStrings {
  private CStrings() {}

  static byte[] of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  /** A NULL-ended array of pointers followed by the strings it points to; the caller closes it. */
  static Memory array(List<String> texts) {
    byte[][] encoded = new byte[texts.size()][];
    long table = 8L * (encoded.length + 1);
    long size = table;
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = of(texts.get(i));
      size += encoded[i].length;
    }
    Memory memory = new Memory(size);
    long at = table;
    for (int i = 0; i < encoded.length; i++) {
      memory.write(at, encoded[i], 0, encoded[i].length);
      memory.setPointer(8L * i, memory.share(at));
      at += encoded[i].length;
    }
    memory.setPointer(8L * encoded.length, null);
    return memory;
  }
}
