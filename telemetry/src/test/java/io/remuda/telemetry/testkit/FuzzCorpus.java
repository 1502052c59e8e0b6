package io.remuda.telemetry.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The inputs of a fuzzer that are kept in the tree, one file each in {@code src/test/fuzz/TARGET},
 * and inputs near them. The fuzzer itself runs by {@code mvn -Pfuzz verify}; this is the pass of a
 * second that every build makes over what it has found.
 */
public final class FuzzCorpus {

  /** What parsers of lengths, numbers and texts fall over. */
  private static final List<byte[]> TOKENS =
      Stream.of(
              "\0\0\0\0",
              "\u007f\u00ff\u00ff\u00ff",
              "\u00ff\u00ff\u00ff\u00ff",
              "\u0080\0\0\0",
              "\u0000",
              "\u00ff",
              "\u00ed\u00a0\u0080",
              "\u00f6",
              "\u009f",
              "\u00bf",
              "\u00fb",
              "{",
              "}",
              "[",
              "]",
              "\"",
              "\\u0000",
              "\\ud800",
              "null",
              "1e999",
              "-0",
              "9999999999",
              "&a",
              "*a",
              "<<: ",
              "\n",
              ": ",
              "- ",
              "!!int ",
              "|\n")
          .map(token -> token.getBytes(StandardCharsets.ISO_8859_1))
          .toList();

  private static final int MOST_CHANGES = 4;

  private final Path folder;

  /**
   * The corpus of a target of this module.
   *
   * @param target simple name of its class
   */
  public FuzzCorpus(Class<?> target) {
    folder = Path.of("src", "test", "fuzz", target.getSimpleName());
  }

  /** All of it, in the order of its names. */
  public List<byte[]> inputs() throws IOException {
    List<byte[]> inputs = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        inputs.add(Files.readAllBytes(file));
      }
    }
    return inputs;
  }

  /**
   * Gives the target each input and some near it, the same ones for the same seed.
   *
   * @param near how many for each
   * @throws AssertionError with the input that the target did not bear
   */
  public void replay(Consumer<byte[]> target, long seed, int near) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> inputs = inputs();
    for (byte[] input : inputs) {
      give(target, input);
      for (int i = 0; i < near; i++) {
        give(target, changed(input, inputs, random));
      }
    }
  }

  private static void give(Consumer<byte[]> target, byte[] input) {
    try {
      target.accept(input.clone());
    } catch (RuntimeException | Error fault) {
      throw new AssertionError(
          "input of " + input.length + " bytes: " + HexFormat.of().formatHex(input), fault);
    }
  }

  private static byte[] changed(byte[] input, List<byte[]> others, SplittableRandom random) {
    byte[] now = input;
    for (int changes = 1 + random.nextInt(MOST_CHANGES); changes > 0; changes--) {
      now = changedOnce(now, others, random);
    }
    return now;
  }

  private static byte[] changedOnce(byte[] now, List<byte[]> others, SplittableRandom random) {
    int at = random.nextInt(now.length + 1);
    return switch (random.nextInt(5)) {
      case 0 -> flipped(now, at, random.nextInt(8));
      case 1 -> joined(now, at, TOKENS.get(random.nextInt(TOKENS.size())), at);
      case 2 -> { // over what is there
        byte[] token = TOKENS.get(random.nextInt(TOKENS.size()));
        yield joined(now, at, token, Math.min(now.length, at + token.length));
      }
      case 3 -> joined(now, at, new byte[0], at + random.nextInt(now.length - at + 1));
      default -> {
        byte[] other = others.get(random.nextInt(others.size()));
        int from = random.nextInt(other.length + 1);
        yield joined(now, at, Arrays.copyOfRange(other, from, other.length), now.length);
      }
    };
  }

  private static byte[] flipped(byte[] now, int at, int bit) {
    byte[] other = now.clone();
    if (at < other.length) {
      other[at] ^= (byte) (1 << bit);
    }
    return other;
  }

  /** What stands before {@code at}, {@code middle}, and what stands from {@code end} on. */
  private static byte[] joined(byte[] now, int at, byte[] middle, int end) {
    byte[] whole = Arrays.copyOf(now, at + middle.length + now.length - end);
    System.arraycopy(middle, 0, whole, at, middle.length);
    System.arraycopy(now, end, whole, at + middle.length, now.length - end);
    return whole;
  }
}
