package io.remuda.agent.settings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The arguments, environment and working folder of this process, as text with exactly their bytes.
 * Java decodes them in the locale's encoding and silently alters bytes that it cannot decode, so
 * this class reads them from {@code /proc/self}. Text that is not UTF-8 is rejected.
 *
 * <p>Without {@code /proc} the values are as Java has decoded them. Any thread.
 */
public final class ProcessArgumentsAndEnvironment {

  /**
   * Variable that {@code bin/remuda} sets, because it runs this JVM in a UTF-8 locale: the user's
   * own {@code LC_ALL} as {@code =VALUE}; empty if it was unset.
   */
  static final String OWN_LC_ALL = "REMUDA_SHELL_LC_ALL";

  /**
   * Variable that {@code bin/shell-variables} sets if its shell would lose or change some: {@code
   * PID PARTS}, of this process and of the variables with this beginning and a number, which are
   * one text in base64 together: the lost ones as the kernel has them.
   */
  static final String LOST = "REMUDA_SHELL_LOST";

  private static final String LC_ALL = "LC_ALL";
  private static final Set<String> OF_SHELLS = Set.of("PWD", "OLDPWD");
  private static final Path CMDLINE = Path.of("/proc/self/cmdline");
  private static final Path ENVIRON = Path.of("/proc/self/environ");
  private static final Path CWD = Path.of("/proc/self/cwd");
  private static final int LAST_ASCII = 0x7f;
  private static final int HEX = 16;

  private ProcessArgumentsAndEnvironment() {}

  /**
   * Returns the arguments of {@code main} as they were typed.
   *
   * @param read the arguments as Java has decoded them
   * @throws NotUtf8Exception naming the first argument that is not UTF-8, or if this JVM cannot
   *     work here
   */
  public static String[] arguments(String[] read) {
    checkFolder(System.getProperty("user.dir"), System.getProperty("sun.jnu.encoding"));
    boolean plain = Arrays.stream(read).allMatch(ProcessArgumentsAndEnvironment::isAscii);
    return plain ? read : arguments(read, bytes(CMDLINE));
  }

  /**
   * Rejects a working folder with a name that the locale cannot represent: Java's own classes fail
   * there.
   */
  static void checkFolder(String read, String encoding) {
    boolean sayable = isAscii(read) || StandardCharsets.UTF_8.name().equalsIgnoreCase(encoding);
    if (!sayable) {
      throw new NotUtf8Exception(
          "Java cannot work in this folder with the locale's encoding "
              + encoding
              + ": set LC_ALL=C.UTF-8, or call bin/remuda, which does");
    }
  }

  /** Returns the last words of the command line; the words before them are the JVM's own. */
  static String[] arguments(String[] read, Optional<byte[]> commandLine) {
    List<byte[]> words = commandLine.map(ProcessArgumentsAndEnvironment::words).orElse(List.of());
    int before = words.size() - read.length;
    if (before < 1 || !agree(read, words.subList(before, words.size()))) {
      return read; // the command line has other arguments: a caller passed these
    }
    String[] typed = new String[read.length];
    for (int i = 0; i < read.length; i++) {
      byte[] word = words.get(before + i);
      int number = i + 1;
      typed[i] =
          decoded(word)
              .orElseThrow(
                  () ->
                      new NotUtf8Exception(
                          "argument "
                              + number
                              + ", '"
                              + escaped(word)
                              + "', is not UTF-8, and jobs carry nothing else: give it in"
                              + " UTF-8, or make such bytes in the job, as by sh -c"));
    }
    return typed;
  }

  /** Returns whether all arguments that are ASCII, so readable in any locale, are equal. */
  private static boolean agree(String[] read, List<byte[]> words) {
    for (int i = 0; i < read.length; i++) {
      if (isAscii(read[i])
          && !Arrays.equals(read[i].getBytes(StandardCharsets.US_ASCII), words.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the environment of the shell that started this process. PWD and OLDPWD are left out if
   * they are not UTF-8, since a job runs in another folder.
   *
   * @throws NotUtf8Exception naming the first other variable that is not UTF-8
   */
  public static Map<String, String> environment() {
    return bytes(ENVIRON)
        .map(ProcessArgumentsAndEnvironment::environment)
        .orElseGet(() -> usersOwn(System.getenv()));
  }

  static Map<String, String> environment(byte[] block) {
    return environment(block, ProcessHandle.current().pid());
  }

  /**
   * @param pid of the process whose environment it is
   */
  static Map<String, String> environment(byte[] block, long pid) {
    Map<String, String> all = new LinkedHashMap<>();
    put(block, all);
    byte[] lost = lost(all, pid);
    all.keySet().removeIf(name -> name.startsWith(LOST));
    Map<String, String> before = new LinkedHashMap<>();
    put(lost, before);
    all.putAll(before);
    return usersOwn(all);
  }

  /** Returns the variables that the shell would have lost; none if another process is told them. */
  private static byte[] lost(Map<String, String> all, long pid) {
    String[] told = all.getOrDefault(LOST, "").split(" ");
    if (told.length != 2 || !told[0].equals(Long.toString(pid)) || !told[1].matches("\\d{1,4}")) {
      return new byte[0];
    }
    StringBuilder text = new StringBuilder();
    for (int part = 1; part <= Integer.parseInt(told[1]); part++) {
      text.append(all.getOrDefault(LOST + "_" + part, ""));
    }
    try {
      return Base64.getDecoder().decode(text.toString());
    } catch (IllegalArgumentException damaged) {
      return new byte[0];
    }
  }

  private static void put(byte[] block, Map<String, String> all) {
    for (byte[] entry : words(block)) {
      int sign = sign(entry);
      if (sign >= 0) {
        String name = name(Arrays.copyOf(entry, sign));
        byte[] value = Arrays.copyOfRange(entry, sign + 1, entry.length);
        Optional<String> text = decoded(value);
        if (text.isPresent() || !OF_SHELLS.contains(name)) {
          all.putIfAbsent(name, text.orElseThrow(() -> badValue(name)));
        }
      }
    }
  }

  private static String name(byte[] bytes) {
    return decoded(bytes)
        .orElseThrow(
            () ->
                new NotUtf8Exception(
                    "the name of the environment variable '"
                        + escaped(bytes)
                        + "' is not UTF-8, and jobs carry nothing else: unset it"));
  }

  private static NotUtf8Exception badValue(String name) {
    return new NotUtf8Exception(
        "the environment variable "
            + name
            + " is not UTF-8, and jobs carry nothing else: set it in UTF-8, or leave it out (env -u "
            + name
            + " remuda ...)");
  }

  /**
   * Returns one variable; empty if it is not set.
   *
   * @throws NotUtf8Exception if its value is not UTF-8
   */
  public static Optional<String> variable(String name) {
    String read = System.getenv(name);
    if (read == null || read.chars().allMatch(c -> c < LAST_ASCII)) {
      return Optional.ofNullable(read);
    }
    return Optional.of(bytes(ENVIRON).flatMap(block -> variable(block, name)).orElse(read));
  }

  private static Optional<String> variable(byte[] block, String name) {
    byte[] start = (name + "=").getBytes(StandardCharsets.UTF_8);
    return words(block).stream()
        .filter(entry -> entry.length >= start.length)
        .filter(entry -> Arrays.equals(entry, 0, start.length, start, 0, start.length))
        .findFirst()
        .map(entry -> Arrays.copyOfRange(entry, start.length, entry.length))
        .map(value -> decoded(value).orElseThrow(() -> badValue(name)));
  }

  /**
   * Returns the environment as Java has decoded it, with the user's own locale, for terminal
   * output.
   */
  public static Map<String, String> readEnvironment() {
    return usersOwn(System.getenv());
  }

  private static Map<String, String> usersOwn(Map<String, String> ours) {
    if (!ours.containsKey(OWN_LC_ALL) && !ours.containsKey(LOST)) {
      return ours;
    }
    Map<String, String> own = new LinkedHashMap<>(ours);
    restoreLocale(own);
    return own;
  }

  /**
   * Puts the user's own locale back into the environment of a process that is about to start, for
   * programs of the user, and takes out what only this process is told. Does nothing if {@code
   * bin/remuda} has not started it.
   */
  public static void restoreLocale(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith(LOST));
    String before = environment.remove(OWN_LC_ALL);
    if (before == null) {
      return;
    }
    if (before.startsWith("=")) {
      environment.put(LC_ALL, before.substring(1));
    } else {
      environment.remove(LC_ALL);
    }
  }

  /**
   * Returns the working folder.
   *
   * @throws NotUtf8Exception if it is not UTF-8
   */
  public static String folder() {
    String read = Path.of("").toAbsolutePath().toString();
    if (isAscii(read)) {
      return read;
    }
    return folder(read, cwd());
  }

  static String folder(String read, Optional<byte[]> bytes) {
    return bytes
        .map(
            folder ->
                decoded(folder)
                    .orElseThrow(
                        () ->
                            new NotUtf8Exception(
                                "the working folder '"
                                    + escaped(folder)
                                    + "' is not UTF-8, and jobs carry nothing else: rename it, or"
                                    + " give another with --workdir")))
        .orElse(read);
  }

  /**
   * Returns the bytes of the working folder; a path keeps the bytes it was read from and its URI
   * shows them.
   */
  private static Optional<byte[]> cwd() {
    try {
      String path = Files.readSymbolicLink(CWD).toUri().getRawPath();
      byte[] bytes = new byte[path.length()];
      int length = 0;
      for (int i = 0; i < path.length(); i++) {
        boolean code = path.charAt(i) == '%';
        bytes[length++] =
            code
                ? (byte) Integer.parseInt(path.substring(i + 1, i + 3), HEX)
                : (byte) path.charAt(i);
        i += code ? 2 : 0;
      }
      boolean slash = length > 1 && bytes[length - 1] == '/'; // the URI of a folder ends so
      return Optional.of(Arrays.copyOf(bytes, slash ? length - 1 : length));
    } catch (IOException noProc) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> bytes(Path file) {
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (IOException noProc) {
      return Optional.empty();
    }
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c <= LAST_ASCII);
  }

  /** Returns the parts that end with NUL. */
  private static List<byte[]> words(byte[] block) {
    List<byte[]> words = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < block.length; i++) {
      if (block[i] == 0) {
        words.add(Arrays.copyOfRange(block, from, i));
        from = i + 1;
      }
    }
    return words;
  }

  /**
   * Returns the index of the '=' before the value, or -1. A name has at least one character, which
   * may be '='.
   */
  private static int sign(byte[] entry) {
    for (int i = 1; i < entry.length; i++) {
      if (entry[i] == '=') {
        return i;
      }
    }
    return -1;
  }

  private static Optional<String> decoded(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException other) {
      return Optional.empty();
    }
  }

  /** Returns the text with {@code \xNN} for each byte that is not printable ASCII. */
  private static String escaped(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte one : bytes) {
      boolean plain = one >= ' ' && one < LAST_ASCII && one != '\\';
      text.append(plain ? String.valueOf((char) one) : String.format("\\x%02x", one));
    }
    return text.toString();
  }
}
