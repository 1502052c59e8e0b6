package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Converts Java text to C strings: UTF-8, terminated by NUL. */
public final class CStrings {
  private CStrings() {}

  public static byte[] of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  /** Returns a NULL-ended array of pointers and the strings behind it; the caller closes it. */
  public static Memory array(List<String> texts) {
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
