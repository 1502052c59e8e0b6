package io.remuda.coordinator.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file a command names, and what is said if there is none. */
class ScriptLookupTest {
  @TempDir private Path folder;
  private Path here;
  private Path bin;

  @BeforeEach
  void folders() throws IOException {
    here = Files.createDirectory(folder.resolve("here"));
    bin = Files.createDirectory(folder.resolve("bin"));
  }

  private ScriptLookup lookup() {
    return new ScriptLookup(here, here, bin.toString());
  }

  private static Path file(Path path, String mode, String text) throws IOException {
    Files.writeString(path, text);
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private List<String> command(String... words) {
    return ScriptInvocation.of(List.of(words), lookup())
        .map(ScriptInvocation::command)
        .orElse(null);
  }

  @Test
  void a_script_of_the_folder_is_found_without_a_slash() throws IOException {
    file(here.resolve("train.sh"), "rwxr-xr-x", "#!/bin/sh\n");
    assertEquals(List.of("./train.sh", "a"), command("train.sh", "a"));
  }

  @Test
  void a_program_in_path_goes_before() throws IOException {
    file(here.resolve("train.sh"), "rwxr-xr-x", "#!/bin/sh\n");
    file(bin.resolve("train.sh"), "rwxr-xr-x", "#!/bin/sh\n");
    assertEquals(null, command("train.sh"));
  }

  @Test
  void this_folder_in_path_makes_no_program_of_its_script() throws IOException {
    file(here.resolve("train.sh"), "rwxr-xr-x", "#!/bin/sh\n");
    for (String path : List.of(".", ".:" + bin, bin + ":", ":" + bin, here + "/.:" + bin)) {
      ScriptLookup lookup = new ScriptLookup(here, here, path);
      assertEquals(here.resolve("train.sh"), lookup.script("train.sh").orElseThrow(), path);
    }
    file(bin.resolve("train.sh"), "rwxr-xr-x", "#!/bin/sh\n");
    assertEquals(Optional.empty(), new ScriptLookup(here, here, ".:" + bin).script("train.sh"));
  }

  @Test
  void a_script_that_is_not_executable_is_run_by_what_its_first_line_names() throws IOException {
    file(here.resolve("a.py"), "rw-r--r--", "#! /usr/bin/env -S python3 -u \nx\n");
    assertEquals(List.of("/usr/bin/env", "-S python3 -u", "./a.py", "1"), command("a.py", "1"));
    assertEquals(List.of("/usr/bin/env", "-S python3 -u", "./a.py"), command("./a.py"));
  }

  @Test
  void without_a_first_line_it_is_refused_with_what_to_do() throws IOException {
    file(here.resolve("plain.sh"), "rw-r--r--", "echo hi\n");
    assertEquals(null, command("./plain.sh"));
    String fault = lookup().fault("./plain.sh").orElseThrow();
    assertTrue(fault.contains("not executable and has no #!"), fault);
  }

  @Test
  void a_program_that_is_nowhere_is_named_with_the_file_that_is_probably_meant()
      throws IOException {
    assertEquals(Optional.of("no program 'train' in PATH"), lookup().fault("train"));
    file(here.resolve("train.sh"), "rw-r--r--", "#!/bin/sh\n");
    assertEquals(
        Optional.of("no program 'train' in PATH; did you mean ./train.sh?"),
        lookup().fault("train"));
  }

  @Test
  void a_missing_working_folder_is_named() {
    ScriptLookup away = new ScriptLookup(here, folder.resolve("none"), "/bin");
    assertEquals(Optional.of("no such working folder: " + folder + "/none"), away.fault("sh"));
  }

  @Test
  void what_can_run_has_no_fault() {
    assertEquals(Optional.empty(), new ScriptLookup(here, here, "/bin").fault("sh"));
    assertEquals(Optional.empty(), lookup().fault("/bin/sh"));
  }

  @Test
  void the_head_ends_before_the_first_command() throws IOException {
    JobScript script =
        JobScript.read(
            file(
                here.resolve("x.sh"),
                "rw-r--r--",
                """
                #!/bin/bash -l
                # a note
                #REMUDA --gpus 1 --name "a b" # why

                ##SBATCH --ntasks=9
                # SBATCH --ntasks=9
                #SBATCHES --ntasks=9
                  #SBATCH --ntasks=9
                #SBATCH\t-c 2
                set -e
                #REMUDA --gpus 9
                """));
    assertEquals(List.of("/bin/bash", "-l"), script.interpreter());
    assertEquals(
        List.of(
            new DirectiveLine(
                DirectiveLine.Kind.REMUDA, 3, List.of("--gpus", "1", "--name", "a b")),
            new DirectiveLine(DirectiveLine.Kind.SBATCH, 9, List.of("-c", "2"))),
        script.directives());
  }

  @Test
  void machine_code_has_no_head() throws IOException {
    Path program = file(here.resolve("x"), "rwxr-xr-x", "\177ELF\0\n#REMUDA --gpus 1\n");
    assertEquals(List.of(), JobScript.read(program).directives());
  }

  @Test
  void what_only_a_shell_understands_is_named_with_the_option_for_it() {
    assertTrue(said("FOO=1").contains("--env FOO=1"), said("FOO=1"));
    for (String line : List.of("cd x && y", "cd /data && ./train", "source", "export", "a | b")) {
      assertTrue(said(line).contains("--shell"), said(line));
    }
    assertEquals("no program 'trian' in PATH", said("trian"));
    assertEquals("cannot run ./a=b/c: no such file", said("./a=b/c"));
  }

  private String said(String program) {
    return lookup().fault(program).orElseThrow();
  }
}
