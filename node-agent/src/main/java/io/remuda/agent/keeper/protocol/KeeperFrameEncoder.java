package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.keeper.TaskView;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/** Encodes one frame of {@link KeeperProtocol}; one thread. */
final class KeeperFrameEncoder {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private final DataOutputStream out = new DataOutputStream(bytes);

  private final int id;

  KeeperFrameEncoder(byte kind, int id) {
    this.id = id;
    number(0);
    put(() -> out.writeByte(kind));
    number(id);
  }

  int id() {
    return id;
  }

  /** Returns the whole frame with its length in front. */
  byte[] frame() {
    byte[] frame = bytes.toByteArray();
    int length = frame.length - Integer.BYTES;
    if (length > KeeperProtocol.FRAME_LIMIT) {
      throw new IllegalArgumentException("frame of " + length + " bytes exceeds the limit");
    }
    ByteBuffer.wrap(frame).putInt(0, length);
    return frame;
  }

  KeeperFrameEncoder number(int value) {
    return put(() -> out.writeInt(value));
  }

  KeeperFrameEncoder number(long value) {
    return put(() -> out.writeLong(value));
  }

  KeeperFrameEncoder flag(boolean value) {
    return put(() -> out.writeBoolean(value));
  }

  KeeperFrameEncoder text(String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    return put(
        () -> {
          out.writeInt(encoded.length);
          out.write(encoded);
        });
  }

  KeeperFrameEncoder texts(Collection<String> values) {
    number(values.size());
    for (String value : values) {
      text(value);
    }
    return this;
  }

  KeeperFrameEncoder template(SpawnTemplate template) {
    return texts(template.argv())
        .variables(template.environment())
        .text(template.workingFolder())
        .number(template.umask());
  }

  /**
   * Writes a request whose template the keeper has by this number.
   *
   * @param level what the keeper knows, see {@link KeeperProtocol#LEVEL}
   */
  KeeperFrameEncoder request(SpawnRequest request, int template, int level) {
    text(request.key())
        .number(template)
        .variables(request.variables())
        .path(request.stdout())
        .path(request.stderr())
        .path(request.taskFolder())
        .texts(request.deviceLocks())
        .number(request.contactMillis())
        .number(request.graceMillis())
        .number(request.slot())
        .number(request.signal())
        .number(request.signalAfterMillis());
    return level < 1 ? this : text(request.signalReach().name()).text(request.endingReach().name());
  }

  private KeeperFrameEncoder variables(Map<String, String> variables) {
    number(variables.size());
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      text(variable.getKey()).text(variable.getValue());
    }
    return this;
  }

  KeeperFrameEncoder request(DeviceHoldRequest request) {
    return text(request.key())
        .number(request.pid())
        .number(request.startTicks())
        .path(request.taskFolder())
        .texts(request.deviceLocks())
        .number(request.graceMillis());
  }

  KeeperFrameEncoder view(TaskView view) {
    text(view.key()).number(view.pid()).number(view.startTicks());
    text(view.state().name()).flag(view.exit() != null);
    return view.exit() == null ? this : exit(view.exit());
  }

  private KeeperFrameEncoder exit(ExitRecord exit) {
    if (exit.status() instanceof ExitStatus.Code code) {
      flag(true).number(code.value());
    } else if (exit.status() instanceof ExitStatus.Signal signal) {
      flag(false).number(signal.number()).flag(signal.coreDumped());
    }
    return number(exit.wallMillis())
        .number(exit.userCpuMillis())
        .number(exit.systemCpuMillis())
        .number(exit.peakRssBytes())
        .flag(exit.contactLost())
        .flag(exit.killed())
        .number(exit.leftovers());
  }

  private KeeperFrameEncoder path(Path path) {
    return text(path.toString());
  }

  @FunctionalInterface
  private interface Put {
    void run() throws IOException;
  }

  private KeeperFrameEncoder put(Put put) {
    try {
      put.run();
      return this;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
