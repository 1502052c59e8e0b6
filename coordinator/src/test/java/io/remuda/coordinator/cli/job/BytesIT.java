package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Arguments, variables and folders reach a job as they were typed, whatever the locale, or are
 * refused. Bytes are made by {@code printf} in a shell, for Java would write them as it reads them.
 */
@Tag("attack")
@Tag("attack-bad-request")
@Timeout(240)
class BytesIT {

  /** The command as it is installed, and the jar without it. */
  private static final String SCRIPT = "\"$DIST\"/bin/remuda";

  private static final String JAR = "java -Xmx512m -jar \"$DIST\"/coordinator.jar";

  private static final String CAFE = "caf\u00e9";

  /** What a job finds, with the bytes of {@code café} and {@code naïve}. */
  private static final String FOUND =
      """
      cd %s || exit 9
      V=$(printf 'na\\303\\257ve') LC_ALL=C %s run -- sh -c \
          'printf "%%s|%%s|%%s|%%s|%%s" "$1" "$2" "$V" "$PWD" "${LC_ALL-none} ${LANG-none}"' \
          x "$(printf 'caf\\303\\251')" @../file
      """;

  private static final String INTO_CAFE = "\"$(printf 'caf\\303\\251')\"";

  @TempDir private static Path shared;
  private static ServiceProcess service;
  private static Path work;

  @BeforeAll
  static void serve() throws IOException {
    service = new ServiceProcess(Installation.find(), shared.resolve("h"), Map.of()).serve();
    work = Files.createDirectories(shared.resolve("work"));
    Result made = shell("mkdir plain \"$(printf 'caf\\303\\251')\" \"$(printf 'bad\\351')\"");
    assertEquals(0, made.code(), made::err);
    Files.writeString(work.resolve("file"), "not this\n");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** Runs a line of shell in the folder of work. */
  private static Result shell(String line) throws IOException {
    Map<String, String> environment =
        Map.of("DIST", Installation.find().dist().toString(), "REMUDA_NO_ARCHIVE", "1");
    return service.tool("bash", work, environment, "sh", "-c", "unset LANG LC_ALL\n" + line);
  }

  @Test
  void a_job_finds_the_bytes_that_were_typed_where_the_locale_is_c() throws IOException {
    assertFound(CAFE, shell(FOUND.formatted(INTO_CAFE, SCRIPT)));
  }

  @Test
  void so_it_does_without_our_script_but_in_folders_that_java_can_say() throws IOException {
    assertFound("plain", shell(FOUND.formatted("plain", JAR)));
    assertRefused(
        "Java cannot work in this folder with the locale's encoding ANSI_X3.4-1968",
        "cd " + INTO_CAFE + "; " + JAR + " state");
  }

  private static void assertFound(String folder, Result run) throws IOException {
    assertEquals(
        CAFE + "|@../file|na\u00efve|" + work.toRealPath() + "/" + folder + "|C none",
        run.out(),
        run::err);
  }

  @Test
  void a_job_has_no_locale_that_its_shell_has_not() throws IOException {
    Result run = shell(SCRIPT + " run -- sh -c 'env | grep -c -e LC_ALL -e SHELL_LC'");

    assertEquals("0\n", run.out(), run::err);
  }

  @Test
  void what_is_not_utf8_is_refused_before_anything_starts() throws IOException {
    String here = "REMUDA_HOME=" + shared.resolve("never") + " " + SCRIPT;
    assertRefused(
        "argument 4, 'b\\xff', is not UTF-8", here + " run -- echo \"$(printf 'b\\377')\"");
    assertRefused(
        "the environment variable V is not UTF-8",
        "export V=\"$(printf 'b\\377')\"; " + here + " run -- true");
    assertRefused(
        "bad\\xe9' is not UTF-8", "cd \"$(printf 'bad\\351')\"; " + here + " run -- true");
    Result elsewhere = shell("cd \"$(printf 'bad\\351')\"; " + SCRIPT + " run --workdir / -- pwd");
    assertEquals("/\n", elsewhere.out(), elsewhere::err);
    assertTrue(Files.notExists(shared.resolve("never")), "no server was started");
  }

  private static void assertRefused(String reason, String line) throws IOException {
    Result refused = shell(line);
    assertEquals(2, refused.code(), refused.out() + refused.err());
    assertTrue(refused.err().contains(reason), refused::err);
    assertEquals(1, refused.err().lines().count(), refused::err);
  }

  /** Each way to run a command that a shell stands before, or used to. */
  private static Stream<String> launchers() {
    return Stream.of(
        SCRIPT + " run --",
        "REMUDA_NO_BUILD=1 \"$DIST\"/../remuda run --",
        JAR + " run --",
        "PATH=/usr/bin:$PATH \"$DIST\"/bin/grn-run"); // not a python3 that a shell stands before
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void exported_functions_and_names_that_no_shell_can_say_arrive(String launcher)
      throws IOException {
    Files.writeString(
        work.resolve("odd"),
        """
        #!/bin/bash
        module load cuda
        tr '\\0' '\\n' </proc/$$/environ | grep -aE '^(a[.]b|x y|OPTIND|PS4|V)=|^lines$'
        """);
    Result run =
        shell(
            """
            chmod +x odd
            export V="two
            lines"
            env 'BASH_FUNC_module%%=() {  echo "loaded $*"
            }' a.b=dot 'x y=z' OPTIND=7 PS4=:\s"""
                + launcher
                + " ./odd | LC_ALL=C sort");
    assertEquals(
        "OPTIND=7\nPS4=:\nV=two\na.b=dot\nlines\nloaded load cuda\nx y=z\n", run.out(), run::err);
  }

  @Test
  void the_soft_limits_of_the_shell_are_those_of_the_job_up_to_the_nodes() throws IOException {
    String limited = "ulimit -Sn 333; ulimit -Ss 4096; ulimit -Sv 9000000; ulimit -St 600; ";
    String told = " bash -c 'echo $(ulimit -Sn) $(ulimit -Ss) $(ulimit -Sv) $(ulimit -St)'";
    Result run = shell(limited + SCRIPT + " run --" + told);
    assertEquals("333 4096 9000000 600\n", run.out(), run::err);
    Result other = shell(SCRIPT + " run --env REMUDA_LIMITS=nofile=334,cpu=700 --" + told);
    assertTrue(other.out().matches("334 \\S+ \\S+ 700\n"), other::out);
    assertRefused(
        "REMUDA_LIMITS is LIMIT=NUMBER", SCRIPT + " run --env REMUDA_LIMITS=files=3 -- true");
  }

  @Test
  void what_belongs_to_the_shell_alone_stays_there_unless_it_is_wanted() throws IOException {
    String inside = "SLURM_JOB_ID=5 SLURM_CONF=/c OMPI_COMM_WORLD_RANK=3 RANK=3 MAKELEVEL=1 ";
    String told = " run %s -- sh -c 'env | grep -E \"^(SLURM|OMPI_[^M]|RANK|MAKE)\" | sort'";
    assertEquals("SLURM_CONF=/c\n", shell(inside + SCRIPT + told.formatted("")).out());
    assertEquals(
        "RANK=4\nSLURM_CONF=/c\n", shell(inside + SCRIPT + told.formatted("--env RANK=4")).out());
    assertEquals(
        "MAKELEVEL=1\nOMPI_COMM_WORLD_RANK=3\nRANK=3\nSLURM_CONF=/c\nSLURM_JOB_ID=5\n",
        shell("REMUDA_SUBMIT_ENVIRONMENT=all " + inside + SCRIPT + told.formatted("")).out());
    assertRefused(
        "REMUDA_SUBMIT_ENVIRONMENT must be own or all, got 'none'",
        "REMUDA_SUBMIT_ENVIRONMENT=none " + SCRIPT + " submit -- true");
  }

  @Test
  void a_variable_that_would_be_replaced_is_refused_before_anything_starts() throws IOException {
    String here = "REMUDA_HOME=" + shared.resolve("never") + " " + SCRIPT;
    assertRefused(
        "--env CUDA_VISIBLE_DEVICES: Remuda sets CUDA_VISIBLE_DEVICES to the GPUs that it lends",
        here + " run --env CUDA_VISIBLE_DEVICES=0 -- true");
    assertRefused(
        "--env REMUDA_TASK: Remuda sets REMUDA_TASK for each task",
        here + " submit --env REMUDA_TASK=1 -- true");
    assertRefused(
        "--env RANK: Remuda sets RANK for the members of a gang",
        here + " submit --gang --count 2 --env RANK=1 -- true");
    assertTrue(Files.notExists(shared.resolve("never")), "no server was started");
  }

  @Test
  void an_agent_in_another_locale_finds_folders_by_their_bytes() throws Exception {
    Process agent =
        service.agent(List.of("env", "-u", "LANG", "LC_ALL=C"), "plain", "--label", "where=c");
    service.awaitNode("plain", "ready");
    Result run =
        shell(
            "cd \"$(printf 'caf\\303\\251')\"; "
                + SCRIPT
                + " run --label where=c -- sh -c 'echo in ${PWD##*/}'");
    agent.destroy();
    agent.waitFor();
    service.awaitNode("plain", "silent");

    assertEquals("in " + CAFE + "\n", run.out(), run::err);
  }

  @Test
  void a_folder_that_was_removed_is_told_in_a_sentence() throws IOException {
    Result run = shell("mkdir gone; cd gone; rmdir ../gone; " + SCRIPT + " state");

    assertEquals(1, run.code());
    String last = run.err().lines().reduce((first, second) -> second).orElse("");
    assertEquals("remuda: the working folder has been removed: cd to one that exists", last);
    assertTrue(run.err().lines().noneMatch(line -> line.contains("java")), run::err);
  }
}
