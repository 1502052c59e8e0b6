package io.remuda.coordinator.cli.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.agent.commandline.OwnProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteShellTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a b", "it's", "$(touch x)", "`x`", "a\nb", "-rf", "*", "\\", "\"", "é;&|"})
  void a_word_arrives_as_it_is_whatever_it_has(String word) throws Exception {
    List<String> command =
        new RemoteShell("h", List.of(), new OwnProcess())
            .command("printf %s \"$1\"", List.of(word));
    String line = command.get(command.size() - 1);
    Process shell = new ProcessBuilder("sh", "-c", line).start();
    assertEquals(word, new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
  }

  @Test
  void the_host_stands_behind_the_options_and_is_no_option() {
    List<String> command =
        new RemoteShell("h", List.of("-p", "22"), new OwnProcess()).command("true", List.of());
    assertEquals(List.of("ssh", "-p", "22", "--", "h"), command.subList(0, 5));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RemoteShell("-oProxyCommand=x", List.of(), new OwnProcess()));
  }

  @Test
  void scripts_pass_through_login_shells_of_other_kinds() {
    for (String script :
        List.of(
            RemoteScripts.LOOK,
            RemoteScripts.COPY,
            RemoteScripts.START,
            RemoteScripts.STOP,
            RemoteScripts.LAST_WORDS)) {
      assertFalse(script.contains("'"), script);
    }
  }

  @Test
  void equal_files_of_other_releases_are_found_and_a_changed_file_changes_the_name(
      @TempDir Path release) throws IOException {
    Files.createDirectories(release.resolve("bin"));
    Files.writeString(release.resolve("bin/remuda"), "x");
    Files.writeString(release.resolve("LICENSE"), "y");
    ReleaseManifest manifest = ReleaseManifest.of(release);
    String hash = manifest.hashes().get("bin/remuda");
    assertEquals(
        Map.of("bin/remuda", "old/r"), manifest.among("1234  old/LICENSE\n" + hash + "  old/r\n"));
    String before = manifest.id();
    Files.writeString(release.resolve("LICENSE"), "z");
    assertFalse(before.equals(ReleaseManifest.of(release).id()));
  }
}
