package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.keeper.TaskView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decodes one frame of {@link KeeperProtocol}; one thread. Throws {@link MalformedException}. */
final class KeeperFrameDecoder {
  private final ByteBuffer in;
  private final byte kind;
  private final int id;

  /** A frame violates the protocol; only its connection is closed. */
  static final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /** Reads the kind and id of a frame, which is without the length in front. */
  KeeperFrameDecoder(byte[] frame) {
    in = ByteBuffer.wrap(frame);
    require(Byte.BYTES + Integer.BYTES);
    kind = in.get();
    id = in.getInt();
  }

  byte kind() {
    return kind;
  }

  int id() {
    return id;
  }

  int number() {
    require(Integer.BYTES);
    return in.getInt();
  }

  long longNumber() {
    require(Long.BYTES);
    return in.getLong();
  }

  long notNegative() {
    long value = longNumber();
    if (value < 0) {
      throw new MalformedException("negative: " + value);
    }
    return value;
  }

  boolean flag() {
    require(Byte.BYTES);
    byte value = in.get();
    if (value != 0 && value != 1) {
      throw new MalformedException("not a flag: " + value);
    }
    return value == 1;
  }

  String text() {
    int length = count(1);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  ReachedProcesses reach() {
    String name = text();
    for (ReachedProcesses reach : ReachedProcesses.values()) {
      if (reach.name().equals(name)) {
        return reach;
      }
    }
    throw new MalformedException("no reach: " + name);
  }

  /** Reads a number that earlier builds do not send; 0 if it is missing. */
  int numberIfThere() {
    return in.hasRemaining() ? number() : 0;
  }

  List<String> texts() {
    int count = count(Integer.BYTES);
    List<String> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      texts.add(text());
    }
    return texts;
  }

  /** Throws IllegalArgumentException if the frame is well formed but the template is invalid. */
  SpawnTemplate template() {
    List<String> argv = texts();
    Map<String, String> environment = variables();
    String workingFolder = text();
    int umask = number();
    return new SpawnTemplate(argv, environment, workingFolder, umask);
  }

  /**
   * Reads a request. Throws IllegalArgumentException if the frame is well formed but the request is
   * invalid.
   *
   * @param templates of the connection
   */
  SpawnRequest request(SpawnTemplateCache templates) {
    String key = text();
    int number = number();
    Map<String, String> variables = variables();
    String stdout = text();
    String stderr = text();
    String taskFolder = text();
    List<String> deviceLocks = texts();
    long contactMillis = longNumber();
    long graceMillis = longNumber();
    long slot = longNumber();
    int signal = number();
    long signalAfterMillis = longNumber();
    ReachedProcesses signalReach =
        in.hasRemaining() ? reach() : ReachedProcesses.FIRST; // of level 1
    ReachedProcesses endingReach = in.hasRemaining() ? reach() : ReachedProcesses.FIRST;
    SpawnTemplate template = templates.find(number);
    if (template == null) {
      throw new IllegalArgumentException("template " + number + ": unknown or invalid");
    }
    return new SpawnRequest(
        key,
        template,
        variables,
        Path.of(stdout),
        Path.of(stderr),
        Path.of(taskFolder),
        deviceLocks,
        contactMillis,
        graceMillis,
        slot,
        signal,
        signalAfterMillis,
        signalReach,
        endingReach);
  }

  private Map<String, String> variables() {
    int count = count(2 * Integer.BYTES);
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < count; i++) {
      variables.put(text(), text());
    }
    return variables;
  }

  /** Throws IllegalArgumentException if the frame is well formed but the request is invalid. */
  DeviceHoldRequest adoptRequest() {
    return new DeviceHoldRequest(
        text(), longNumber(), longNumber(), Path.of(text()), texts(), longNumber());
  }

  /** Reads the answer to a start. */
  SpawnAnswer spawnAnswer() {
    return switch (kind) {
      case KeeperProtocol.STARTED -> new SpawnAnswer.Started(longNumber(), longNumber());
      case KeeperProtocol.KNOWN -> new SpawnAnswer.Known(view());
      case KeeperProtocol.REFUSED -> new SpawnAnswer.Refused(RefusalCode.valueOf(text()), text());
      default -> throw new MalformedException("answer of kind " + kind);
    };
  }

  TaskView view() {
    String key = text();
    long pid = longNumber();
    long startTicks = longNumber();
    TaskView.State state = TaskView.State.valueOf(text());
    ExitRecord exit = flag() ? exit(key, pid, startTicks) : null;
    return new TaskView(key, pid, startTicks, state, exit);
  }

  private ExitRecord exit(String key, long pid, long startTicks) {
    ExitStatus status =
        flag() ? new ExitStatus.Code(number()) : new ExitStatus.Signal(number(), flag());
    return new ExitRecord(
        key,
        pid,
        startTicks,
        status,
        longNumber(),
        longNumber(),
        longNumber(),
        longNumber(),
        flag(),
        flag(),
        number());
  }

  /** Checks that nothing is left; must be called after the last field. */
  void end() {
    if (in.hasRemaining()) {
      throw new MalformedException(in.remaining() + " bytes too many in a frame of kind " + kind);
    }
  }

  /** Reads a count, checked against the bytes left so that a wrong one cannot exhaust memory. */
  private int count(int bytesEach) {
    int count = number();
    if (count < 0 || (long) count * bytesEach > in.remaining()) {
      throw new MalformedException("count of " + count + " in a frame of kind " + kind);
    }
    return count;
  }

  private void require(int bytes) {
    if (in.remaining() < bytes) {
      throw new MalformedException("truncated frame of kind " + kind);
    }
  }
}
