package io.remuda.coordinator.slurm.difference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.SlurmCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same scripts under a real Slurm and here: what their processes see, and what they leave. */
@Tag("slow")
@Timeout(600)
class BesideSlurmIT {

  private static final Duration END = Duration.ofMinutes(5);
  private static final int PORT = 17917;

  /** Numbers of jobs have five digits on both sides, so that nothing else looks like one. */
  private static final String FIRST_NUMBER = "70001";

  private static final String MANY_NUMBERS = "#!/bin/sh\n#SBATCH -H -a 1-50000\ntrue\n";

  private static final int LEAST_NEW_HEADS = 100;

  /** What the shell that submits has besides. */
  private static final Map<String, String> OF_SHELL =
      Map.of("HOSTNAME", "elsewhere", "CHOSEN_BY_SHELL", "1");

  private static final Set<String> OF_SLURM =
      Set.of("salloc", "sattach", "sbatch", "scancel", "scontrol", "sinfo", "squeue", "srun");

  @TempDir private static Path folder;
  private static SlurmCluster slurm;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(SlurmCluster.isAllowed(), "a Slurm for tests is started as root");
    Map<String, String> shape =
        Map.of(
            "NODES", "2",
            "CPUS", "32",
            "GPUS", "8",
            "MEM_MB", "8000",
            "PROCTRACK", "linuxproc",
            "FIRST_JOB", FIRST_NUMBER);
    slurm = SlurmCluster.start("beside", PORT, shape);
    Map<String, String> shell = new HashMap<>(OF_SHELL);
    shell.put("PATH", programsWithoutSlurm().toString());
    service = new Cluster(Installation.find(), folder.resolve("home"), shell);
    service.serve("--cpus", "64", "--mem", "16000MiB", "--simulate-gpus", "h200:16");
    ByteArrayInputStream many =
        new ByteArrayInputStream(MANY_NUMBERS.getBytes(StandardCharsets.UTF_8));
    Result held = service.cliIn(folder, many, "submit");
    assertEquals(0, held.code(), held.err());
    service.cli("cancel", "--yes", held.out().strip());
  }

  /** Returns a folder with all programs of this machine but Slurm's, as on one without Slurm. */
  private static Path programsWithoutSlurm() throws IOException {
    Path all = Files.createDirectories(folder.resolve("programs"));
    for (String at : System.getenv("PATH").split(":")) {
      if (Files.isDirectory(Path.of(at))) {
        try (Stream<Path> programs = Files.list(Path.of(at))) {
          for (Path program : programs.toList()) {
            Path link = all.resolve(program.getFileName());
            if (!OF_SLURM.contains(link.getFileName().toString())
                && !Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
              Files.createSymbolicLink(link, program);
            }
          }
        }
      }
    }
    return all;
  }

  @AfterAll
  static void end() {
    if (service != null) {
      service.close();
    }
    if (slurm != null) {
      slurm.close();
    }
  }

  private static Map<String, String> shell() {
    Map<String, String> shell = new HashMap<>(System.getenv());
    shell.keySet().removeIf(name -> name.matches("(SLURM|SBATCH|REMUDA)_.*|OMP_NUM_THREADS"));
    shell.putAll(OF_SHELL);
    return shell;
  }

  private static Map<String, HeadRun> submit(List<SbatchHead> heads, BatchSystem system)
      throws IOException {
    Path at = Files.createTempDirectory(folder, system.name());
    Map<String, HeadRun> runs = new LinkedHashMap<>();
    for (SbatchHead head : heads) {
      HeadRun run = new HeadRun(head, system, at);
      run.submit(runs);
      runs.put(head.name(), run);
    }
    return runs;
  }

  private static boolean isOver(BatchSystem system, Map<String, HeadRun> runs) throws IOException {
    boolean all = true;
    for (HeadRun run : runs.values()) {
      all &= run.act();
    }
    return all && system.isOver();
  }

  /** Compares and returns the rules that were of use. */
  private static Set<KnownDifference> compare(List<SbatchHead> heads) throws IOException {
    BatchSystem there = new SlurmSystem(slurm, shell());
    BatchSystem here = new RemudaSystem(service);
    Map<String, HeadRun> theirs = submit(heads, there);
    Map<String, HeadRun> ours = submit(heads, here);
    service.await("an end of all scripts", END, () -> isOver(here, ours) & isOver(there, theirs));
    Map<String, String> numbers = new HashMap<>();
    ours.forEach(
        (name, run) ->
            run.number()
                .ifPresent(
                    own ->
                        theirs
                            .get(name)
                            .number()
                            .ifPresent(other -> numbers.put("" + own, "" + other))));
    Set<KnownDifference> seen = EnumSet.noneOf(KnownDifference.class);
    List<String> unknown = new ArrayList<>();
    for (SbatchHead head : heads) {
      HeadRun slurms = theirs.get(head.name());
      Map<Aspect, String> expected = slurms.outcome();
      HeadRun own = ours.get(head.name());
      Map<Aspect, String> found =
          own.outcomeAs(slurms, expected, numbers, SbatchScriptVariables.hostName().orElseThrow());
      for (Difference one : Difference.of(head, expected, found).values()) {
        Set<KnownDifference> known = KnownDifference.of(one);
        seen.addAll(known);
        if (known.isEmpty()) {
          boolean refused = one.aspect().kind() == Aspect.Kind.ACCEPTED;
          unknown.add(one + (refused ? ": " + slurms.said() + "; " + own.said() : ""));
        }
      }
    }
    assertEquals("", String.join("\n", unknown));
    return seen;
  }

  @Test
  void heads_of_scripts_mean_here_what_they_mean_to_sbatch() throws IOException {
    List<SbatchHead> heads = SbatchHead.of("heads.txt");
    assertTrue(heads.stream().filter(head -> !head.wishes("fault")).count() >= LEAST_NEW_HEADS);
    assertEquals(KnownDifference.tested(), compare(heads), "rules for what is there");
  }

  /** One that needs a program which is missing here is left out. */
  @Test
  void scripts_of_documentation_do_here_what_they_do_under_slurm() throws IOException {
    List<SbatchHead> heads = SbatchHead.of("documented.txt");
    heads.forEach(head -> assertTrue(head.wishes("docs"), head.name()));
    compare(heads.stream().filter(BesideSlurmIT::canRun).toList());
  }

  private static boolean canRun(SbatchHead head) {
    String program = head.wishes().getOrDefault("needs", "sh");
    return Stream.of("/usr/bin", "/bin").anyMatch(at -> Files.exists(Path.of(at, program)));
  }
}
