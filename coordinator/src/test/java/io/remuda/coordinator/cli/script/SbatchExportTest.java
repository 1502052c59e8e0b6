package io.remuda.coordinator.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job has of the shell's environment; the login shell is a real one. */
class SbatchExportTest {
  @TempDir private Path home;
  private Map<String, String> shell;

  @BeforeEach
  void home() throws IOException {
    Files.writeString(home.resolve(".profile"), "echo noise\nexport FROM_LOGIN='two\nlines'\n");
    shell =
        Map.of(
            "HOME", home.toString(),
            "USER", "ann",
            "SHELL", "/bin/sh",
            "A", "1",
            "SECRET", "x",
            "REMUDA_LIMITS", "nofile=1024",
            "LD_LIBRARY_PATH", "/of/the/shell");
  }

  private Map<String, String> of(String value) {
    return SbatchExport.of(value).over(shell, new LoginEnvironment(shell));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALL", "ALL,B=c", "all", ""})
  void with_all_it_is_the_shells_and_no_login_shell_is_asked(String value) {
    LoginEnvironment none = new LoginEnvironment(Map.of("SHELL", "/no/such/shell"));
    assertSame(shell, SbatchExport.of(value).over(shell, none));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "NIL", "none", "NONE,B=c", "B=c"})
  void without_all_it_is_that_of_a_login(String value) {
    Map<String, String> environment = of(value);
    assertEquals("two\nlines", environment.get("FROM_LOGIN"));
    assertEquals(home.toString(), environment.get("HOME"));
    assertEquals("ann", environment.get("USER"));
    assertEquals("nofile=1024", environment.get("REMUDA_LIMITS"), "what Remuda needs");
    assertTrue(environment.get("PATH").contains("/bin"));
    for (String absent : new String[] {"A", "SECRET", "LD_LIBRARY_PATH", "PWD", "SHLVL", "_"}) {
      assertEquals(null, environment.get(absent), absent);
    }
  }

  @Test
  void what_is_named_comes_from_the_shell() {
    Map<String, String> environment = of("A,NOT_SET,B=c");
    assertEquals("1", environment.get("A"));
    assertEquals(null, environment.get("SECRET"));
    assertEquals(null, environment.get("NOT_SET"));
  }

  @Test
  void a_login_shell_without_an_answer_is_named() {
    LoginEnvironment none = new LoginEnvironment(Map.of("SHELL", "/no/such/shell"));
    String said =
        assertThrows(
                IllegalArgumentException.class, () -> SbatchExport.of("NONE").over(shell, none))
            .getMessage();
    assertTrue(said.startsWith("'/no/such/shell -l' does not say"), said);
  }
}
