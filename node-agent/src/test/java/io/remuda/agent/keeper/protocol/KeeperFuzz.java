package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnTemplate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What comes over a keeper's socket, to either side: a whole frame, or a stream of them in pieces.
 * It is refused as malformed or wrong, or says the same when it is written again. The first byte
 * says which, and how long the pieces are.
 */
public final class KeeperFuzz {
  private static final int FRAMES = 0;

  private KeeperFuzz() {}

  /** One input of a fuzzer. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] rest = Arrays.copyOfRange(data, 1, data.length);
    int piece = data[0] & 0x7f;
    if (piece == FRAMES) {
      frame(rest);
    } else {
      stream(rest, piece);
    }
  }

  /** The number of the only template that requests name here. */
  private static final int TEMPLATE = 1;

  private static final SpawnTemplateCache TEMPLATES = templates();

  private static SpawnTemplateCache templates() {
    SpawnTemplateCache templates = new SpawnTemplateCache();
    templates.add(TEMPLATE, new SpawnTemplate(List.of("true"), Map.of(), "/", 022));
    return templates;
  }

  private static void stream(byte[] bytes, int piece) {
    FrameAssembler frames = new FrameAssembler();
    try {
      for (int at = 0; at < bytes.length; at += piece) {
        frames.take(
            ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at)), KeeperFuzz::frame);
      }
    } catch (IOException tooLong) {
      // refused
    }
  }

  private static void frame(byte[] bytes) {
    try {
      KeeperFrameDecoder in = new KeeperFrameDecoder(bytes);
      byte[] said = again(in);
      in.end();
      KeeperFrameDecoder second =
          new KeeperFrameDecoder(Arrays.copyOfRange(said, Integer.BYTES, said.length));
      byte[] saidAgain = again(second);
      second.end();
      if (!Arrays.equals(said, saidAgain)) {
        throw new AssertionError("says something else when it is written again");
      }
    } catch (KeeperFrameDecoder.MalformedException | IllegalArgumentException refused) {
      // as it should be
    }
  }

  /** Reads a frame as the side does that takes its kind, and writes what it has read. */
  private static byte[] again(KeeperFrameDecoder in) {
    KeeperFrameEncoder out = new KeeperFrameEncoder(in.kind(), in.id());
    switch (in.kind()) {
      case KeeperProtocol.HELLO -> out.number(in.number()).number(in.number());
      case KeeperProtocol.SPAWN ->
          out.number(in.longNumber())
              .request(in.request(TEMPLATES), TEMPLATE, KeeperProtocol.LEVEL);
      case KeeperProtocol.TEMPLATE -> out.number(in.number()).template(in.template());
      case KeeperProtocol.ADOPT -> out.request(in.adoptRequest());
      case KeeperProtocol.KILL -> out.text(in.text()).number(in.notNegative());
      case KeeperProtocol.RELEASE, KeeperProtocol.WITHDRAW, KeeperProtocol.ERROR ->
          out.text(in.text());
      case KeeperProtocol.RENEW -> out.texts(in.texts()).number(in.notNegative());
      case KeeperProtocol.FORGET -> out.texts(in.texts());
      case KeeperProtocol.SHUTDOWN -> out.number(in.notNegative());
      case KeeperProtocol.LEAVE ->
          out.text(in.text()).number(in.notNegative()).number(in.notNegative());
      case KeeperProtocol.END ->
          out.text(in.text()).number(in.number()).text(in.reach().name()).number(in.notNegative());
      case KeeperProtocol.WELCOME -> out.number(in.number()).number(in.numberIfThere());
      case KeeperProtocol.STARTED -> out.number(in.longNumber()).number(in.longNumber());
      case KeeperProtocol.KNOWN, KeeperProtocol.EXITED -> out.view(in.view());
      case KeeperProtocol.REFUSED ->
          out.text(RefusalCode.valueOf(in.text()).name()).text(in.text());
      case KeeperProtocol.TASKS -> tasks(in, out);
      default -> {} // has no body
    }
    return out.frame();
  }

  private static void tasks(KeeperFrameDecoder in, KeeperFrameEncoder out) {
    int count = in.number();
    out.number(count);
    for (int i = 0; i < count; i++) {
      out.view(in.view());
    }
    out.flag(in.flag());
  }
}
