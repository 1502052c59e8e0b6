package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scripts by which the program starts, with a stand-in for Java that prints the environment
 * that it was started with. A variable that a shell has imported stays exported, so each name that
 * a script gives a value to might be one of the user's.
 */
@Tag("attack")
@Tag("attack-bad-request")
class LauncherEnvironmentTest {

  private static final Path TREE = Path.of("..");

  /** All that run in the process that becomes the JVM. */
  private static final List<String> SCRIPTS =
      List.of("remuda", "bin/remuda", "bin/remuda-submit", "bin/shell-variables");

  /** What scripts give values to: by a sign, as words of a loop, or as words of a line. */
  private static final List<Pattern> ASSIGNMENTS =
      List.of(
          Pattern.compile("(?<![\\w.:$/\\[}+-])([A-Za-z_]\\w*)="),
          Pattern.compile("\\bfor ([A-Za-z_]\\w*) in\\b"),
          Pattern.compile("\\bread -r ([A-Za-z_]\\w*)"),
          Pattern.compile("\\bread -r \\w+ ([A-Za-z_]\\w*)"));

  /** What this process is told alone, so that no user has any of these. */
  private static final String TOLD = "REMUDA_SHELL_";

  /**
   * Names that mean something to a shell or a library; each way below shows what becomes of them.
   */
  private static final Set<String> KNOWN = Set.of("IFS", "LC_ALL", "CDPATH", "MALLOC_ARENA_MAX");

  /** Variables that a shell has for itself. */
  private static final List<String> OF_SHELLS =
      List.of(
          ("BASH BASHOPTS BASHPID BASH_ARGV0 BASH_COMMAND BASH_SUBSHELL BASH_VERSINFO BASH_VERSION"
                  + " COMP_WORDBREAKS EPOCHREALTIME EPOCHSECONDS HISTCMD LINENO OPTERR OPTIND PPID"
                  + " POSIXLY_CORRECT PS1 PS2 PS4 RANDOM SECONDS SRANDOM UID")
              .split(" "));

  @TempDir private Path folder;

  @BeforeEach
  void install() throws IOException {
    for (String script : SCRIPTS) {
      copy(script, folder.resolve(script));
      copy(script, folder.resolve("dist").resolve(script));
    }
    Files.writeString(folder.resolve("dist/coordinator.jar"), "");
    program("jdk/bin/java", "cat /proc/$$/environ");
    program("jdk/bin/javac", "echo javac 17.0.1");
    program("programs/mvn", "exit 0");
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    Files.createDirectory(folder.resolve("cache"));
  }

  private static void copy(String script, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(TREE.resolve(script), to);
    assertTrue(to.toFile().setExecutable(true));
  }

  private void program(String name, String line) throws IOException {
    Path program = folder.resolve(name);
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\n" + line + "\n");
    assertTrue(program.toFile().setExecutable(true));
  }

  private static Set<String> assigned(String script) throws IOException {
    String text =
        Files.readString(TREE.resolve(script))
            .lines()
            .filter(line -> !line.strip().startsWith("#"))
            .collect(Collectors.joining("\n"));
    Set<String> names = new TreeSet<>();
    for (Pattern assignment : ASSIGNMENTS) {
      Matcher found = assignment.matcher(text);
      while (found.find()) {
        names.add(found.group(1));
      }
    }
    names.removeIf(name -> name.startsWith(TOLD));
    return names;
  }

  @Test
  void a_script_gives_values_only_to_names_that_users_do_not_have() throws IOException {
    Set<String> other = new TreeSet<>();
    for (String script : SCRIPTS) {
      other.addAll(assigned(script));
    }
    assertTrue(other.remove("_remuda_home") && other.contains("LC_ALL"), other::toString);
    other.removeIf(name -> name.startsWith("_remuda_") || KNOWN.contains(name));
    assertEquals(Set.of(), other);
  }

  /** Each way through the scripts, by this machine's shell and by one that other machines have. */
  private static Stream<Arguments> commands() {
    return Stream.of(List.of(), List.of("bash", "--posix"))
        .flatMap(shell -> ways().map(way -> Arguments.of(shell, way)));
  }

  private static Stream<List<String>> ways() {
    return Stream.of(
        List.of("dist/bin/remuda", "submit", "true"),
        List.of("dist/bin/remuda", "serve"),
        List.of("dist/bin/remuda", "agent"),
        List.of("dist/bin/remuda", "agent", "--ssh", "host"),
        List.of("dist/bin/remuda-submit", "true"),
        List.of("bin/remuda", "run", "true"),
        List.of("remuda", "run", "true"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_variable_of_the_user_is_a_jobs_whatever_its_name(
      List<String> interpreter, List<String> command) throws IOException, InterruptedException {
    Map<String, String> shell = new TreeMap<>();
    OF_SHELLS.forEach(name -> shell.put(name, "77"));
    for (String script : SCRIPTS) {
      for (String name : assigned(script)) {
        shell.put(name, "the user's own " + name);
      }
    }
    shell.put("a.b", "dot");
    shell.put("BASH_FUNC_module%%", "() {  echo\n}");
    shell.put("PATH", folder.resolve("programs") + ":" + System.getenv("PATH"));
    shell.put("JAVA_HOME", folder.resolve("jdk").toString());
    shell.put("REMUDA_CACHE", folder.resolve("cache").toString());
    shell.put("REMUDA_NO_ARCHIVE", "1");
    Map<String, String> wanted = new TreeMap<>(shell);
    if (command.contains("agent") && !command.contains("--ssh")) {
      wanted.put("MALLOC_ARENA_MAX", "1"); // for this JVM, of which no job gets anything
    }
    Map<String, String> read = new TreeMap<>(started(interpreter, command, shell));
    read.keySet().removeAll(Set.of("PWD", "OLDPWD", "SHLVL", "_")); // a shell's own
    Map<String, String> same = new TreeMap<>(wanted);
    same.entrySet().retainAll(read.entrySet());
    read.entrySet().removeAll(same.entrySet());
    wanted.entrySet().removeAll(same.entrySet());
    assertEquals(wanted, read, "those that differ");
  }

  /** The environment that the command would give to a job. */
  private Map<String, String> started(
      List<String> interpreter, List<String> command, Map<String, String> shell)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(interpreter);
    words.add(folder.resolve(command.get(0)).toString());
    words.addAll(command.subList(1, command.size()));
    Path errors = folder.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().putAll(shell);
    Process process = builder.start();
    process.getOutputStream().close();
    byte[] block = process.getInputStream().readAllBytes();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    String said = Files.readString(errors, StandardCharsets.UTF_8);
    assertEquals(0, process.exitValue(), said);
    return ProcessArgumentsAndEnvironment.environment(block, process.pid());
  }
}
