package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("attack")
@Tag("attack-bad-request")
class ProcessArgumentsAndEnvironmentTest {

  /** As Java reads {@code café} where the locale is C. */
  private static final String DAMAGED = "caf\ufffd\ufffd";

  /** Bytes as text of one letter each, words ended by NUL. */
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String[] typed(String commandLine, String... read) {
    return ProcessArgumentsAndEnvironment.arguments(read, Optional.of(bytes(commandLine)));
  }

  @Test
  void arguments_have_the_bytes_that_were_typed_whatever_the_locale() {
    String line = "java\0-jar\0x.jar\0run\0--\0echo\0caf\u00c3\u00a9\0\0\u00ef\u00bf\u00bd\0";
    assertArrayEquals(
        new String[] {"run", "--", "echo", "caf\u00e9", "", "\ufffd"},
        typed(line, "run", "--", "echo", DAMAGED, "", "\ufffd\ufffd\ufffd"));
    assertArrayEquals(
        new String[] {"caf\u00e9"}, typed("java\0Main\0caf\u00c3\u00a9\0", "caf\u00c3\u00a9"));
  }

  @Test
  void an_argument_that_is_not_utf8_is_refused_by_its_number_and_bytes() {
    NotUtf8Exception refused =
        assertThrows(
            NotUtf8Exception.class,
            () -> typed("java\0Main\0cat\0a\\b\u00e9\n\0", "cat", "a\\b\ufffd\n"));
    assertEquals(
        "argument 2, 'a\\x5cb\\xe9\\x0a', is not UTF-8, and jobs carry nothing else: give it in"
            + " UTF-8, or make such bytes in the job, as by sh -c",
        refused.getMessage());
  }

  @Test
  void arguments_of_another_program_are_left_as_they_are() {
    String[] given = {"run", DAMAGED};
    assertSame(given, ProcessArgumentsAndEnvironment.arguments(given, Optional.empty()));
    assertSame(
        given,
        ProcessArgumentsAndEnvironment.arguments(
            given, Optional.of(bytes("java\0Surefire\0x\0y\0"))));
    assertSame(
        given, ProcessArgumentsAndEnvironment.arguments(given, Optional.of(bytes("run\0x\0"))));
  }

  @Test
  void a_folder_that_the_locale_cannot_say_is_refused_where_java_would_fail() {
    ProcessArgumentsAndEnvironment.checkFolder("/tmp/caf\u00e9", "UTF-8");
    ProcessArgumentsAndEnvironment.checkFolder("/tmp", "ANSI_X3.4-1968");
    assertThrows(
        NotUtf8Exception.class,
        () -> ProcessArgumentsAndEnvironment.checkFolder("/tmp/" + DAMAGED, "ANSI_X3.4-1968"));
  }

  @Test
  void the_environment_has_the_bytes_of_the_shell() {
    assertEquals(
        Map.of("V", "na\u00efve", "EMPTY", "", "TWICE", "first", "LC_ALL", "C"),
        ProcessArgumentsAndEnvironment.environment(
            bytes("V=na\u00c3\u00afve\0EMPTY=\0no name\0TWICE=first\0TWICE=2\0LC_ALL=C\0")));
  }

  @Test
  void a_variable_that_is_not_utf8_is_refused_by_its_name_alone() {
    NotUtf8Exception value =
        assertThrows(
            NotUtf8Exception.class,
            () -> ProcessArgumentsAndEnvironment.environment(bytes("SECRET=hunter\u00ff2\0")));
    assertEquals(
        "the environment variable SECRET is not UTF-8, and jobs carry nothing else: set it in"
            + " UTF-8, or leave it out (env -u SECRET remuda ...)",
        value.getMessage());
    NotUtf8Exception name =
        assertThrows(
            NotUtf8Exception.class,
            () -> ProcessArgumentsAndEnvironment.environment(bytes("N\u00ff=hunter2\0")));
    assertEquals(
        "the name of the environment variable 'N\\xff' is not UTF-8, and jobs carry nothing else:"
            + " unset it",
        name.getMessage());
  }

  private static Map<String, String> told(String before, String lost, int parts) {
    String text = Base64.getEncoder().encodeToString(lost.getBytes(StandardCharsets.ISO_8859_1));
    StringBuilder block = new StringBuilder(before);
    int size = (text.length() + parts - 1) / parts;
    for (int part = 1; part <= parts; part++) {
      int from = Math.min(text.length(), (part - 1) * size);
      block.append("REMUDA_SHELL_LOST_").append(part).append('=');
      block.append(text, from, Math.min(text.length(), part * size)).append('\0');
    }
    return ProcessArgumentsAndEnvironment.environment(bytes(block.toString()), 4711);
  }

  @Test
  void what_a_shell_before_this_process_has_lost_is_there_again() {
    assertEquals(
        Map.of(
            "A", "1", "BASH_FUNC_m%%", "() {  echo \"$*\"\n}", "OPTIND", "3", "a.b", "na\u00efve"),
        told(
            "A=1\0OPTIND=1\0REMUDA_SHELL_LOST=4711 2\0",
            "BASH_FUNC_m%%=() {  echo \"$*\"\n}\0OPTIND=3\0a.b=na\u00c3\u00afve\0",
            2));
  }

  @Test
  void what_another_process_was_told_is_not_taken_and_not_passed_on() {
    assertEquals(Map.of("A", "1"), told("A=1\0REMUDA_SHELL_LOST=4712 1\0", "B.C=2\0", 1));
    assertEquals(Map.of("A", "1"), told("A=1\0", "B.C=2\0", 1));
    Map<String, String> child = new HashMap<>(Map.of("A", "1", "REMUDA_SHELL_LOST_1", "x"));
    ProcessArgumentsAndEnvironment.restoreLocale(child);
    assertEquals(Map.of("A", "1"), child);
  }

  @Test
  void where_the_shell_was_is_no_reason_to_refuse() {
    assertEquals(
        Map.of("A", "1"),
        ProcessArgumentsAndEnvironment.environment(bytes("PWD=/b\u00e9\0A=1\0OLDPWD=/b\u00e9\0")));
    assertEquals(
        Map.of("PWD", "/b"), ProcessArgumentsAndEnvironment.environment(bytes("PWD=/b\0")));
  }

  @Test
  void the_locale_of_our_script_is_not_the_users() {
    assertEquals(
        Map.of("A", "1", "LC_ALL", "de_DE"),
        ProcessArgumentsAndEnvironment.environment(
            bytes("A=1\0LC_ALL=C.UTF-8\0REMUDA_SHELL_LC_ALL==de_DE\0")));
    assertEquals(
        Map.of("A", "1"),
        ProcessArgumentsAndEnvironment.environment(
            bytes("A=1\0LC_ALL=C.UTF-8\0REMUDA_SHELL_LC_ALL=\0")));
    assertEquals(
        Map.of("LC_ALL", ""),
        ProcessArgumentsAndEnvironment.environment(
            bytes("LC_ALL=C.UTF-8\0REMUDA_SHELL_LC_ALL==\0")));
  }

  @Test
  void a_program_of_the_user_gets_the_users_locale_back() {
    Map<String, String> variables =
        new HashMap<>(Map.of("LC_ALL", "C.UTF-8", "REMUDA_SHELL_LC_ALL", "=de_DE"));
    ProcessArgumentsAndEnvironment.restoreLocale(variables);
    assertEquals(Map.of("LC_ALL", "de_DE"), variables);
    Map<String, String> without =
        new HashMap<>(Map.of("LC_ALL", "C.UTF-8", "REMUDA_SHELL_LC_ALL", ""));
    ProcessArgumentsAndEnvironment.restoreLocale(without);
    assertEquals(Map.of(), without);
    Map<String, String> other = new HashMap<>(Map.of("LC_ALL", "C.UTF-8"));
    ProcessArgumentsAndEnvironment.restoreLocale(other);
    assertEquals(Map.of("LC_ALL", "C.UTF-8"), other);
  }

  @Test
  void a_folder_has_its_bytes_or_is_refused() {
    assertEquals(
        "/tmp/caf\u00e9",
        ProcessArgumentsAndEnvironment.folder(
            "/tmp/" + DAMAGED, Optional.of(bytes("/tmp/caf\u00c3\u00a9"))));
    NotUtf8Exception refused =
        assertThrows(
            NotUtf8Exception.class,
            () ->
                ProcessArgumentsAndEnvironment.folder("/b\ufffd", Optional.of(bytes("/b\u00e9"))));
    assertEquals(
        "the working folder '/b\\xe9' is not UTF-8, and jobs carry nothing else: rename it, or"
            + " give another with --workdir",
        refused.getMessage());
  }
}
