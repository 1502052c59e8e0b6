package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.remuda.agent.keeper.SpawnTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The arguments and variables of a template as C strings, made once for all its tasks. */
final class SpawnStrings {

  private final Memory argv;
  private final Memory strings;
  private final List<String> names = new ArrayList<>();
  private final long[] addresses;

  SpawnStrings(SpawnTemplate template) {
    argv = CStrings.array(template.argv());
    List<byte[]> encoded = new ArrayList<>();
    long size = 1;
    for (Map.Entry<String, String> variable : template.environment().entrySet()) {
      String name = variable.getKey();
      if (!name.equals(TaskMark.KEY) && !name.equals(TaskMark.KEEPER)) {
        byte[] text = CStrings.of(name.concat("=").concat(variable.getValue()));
        names.add(name);
        encoded.add(text);
        size += text.length;
      }
    }
    strings = new Memory(size);
    addresses = new long[encoded.size()];
    long at = 0;
    for (int i = 0; i < addresses.length; i++) {
      byte[] text = encoded.get(i);
      strings.write(at, text, 0, text.length);
      addresses[i] = Pointer.nativeValue(strings) + at;
      at += text.length;
    }
  }

  /** Returns the NULL-ended array of the arguments; valid as long as this object. */
  Pointer argv() {
    return argv;
  }

  /**
   * Returns the NULL-ended array of a task's variables; the caller closes it before this object is
   * dropped.
   *
   * @param own variables of the task, in place of the template's of the same name
   * @param marks variables as {@code NAME=VALUE}, with names that neither has
   */
  Memory with(Map<String, String> own, List<String> marks) {
    List<byte[]> encoded = new ArrayList<>(own.size() + marks.size());
    long size = 0;
    for (Map.Entry<String, String> variable : own.entrySet()) {
      size += add(encoded, variable.getKey().concat("=").concat(variable.getValue()));
    }
    for (String mark : marks) {
      size += add(encoded, mark);
    }
    int pointer = Native.POINTER_SIZE;
    long table = (long) pointer * (addresses.length + encoded.size() + 1);
    Memory memory = new Memory(table + size);
    long slot = 0;
    for (int i = 0; i < addresses.length; i++) {
      if (!own.containsKey(names.get(i))) {
        memory.setLong(slot, addresses[i]);
        slot += pointer;
      }
    }
    long at = table;
    for (byte[] text : encoded) {
      memory.write(at, text, 0, text.length);
      memory.setLong(slot, Pointer.nativeValue(memory) + at);
      slot += pointer;
      at += text.length;
    }
    memory.setLong(slot, 0);
    return memory;
  }

  private static int add(List<byte[]> encoded, String variable) {
    byte[] text = CStrings.of(variable);
    encoded.add(text);
    return text.length;
  }
}
