package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who gets the signals of {@code remuda signal} in scripts for sbatch. Slurm's {@code scancel -s}
 * is {@code children:}, except that a program without {@code srun} gets nothing there; {@code
 * scancel -b -s} is the signal alone, {@code -f} is {@code all:}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BatchScriptSignalIT {

  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("home"), Map.of());
    service.serve("--cpus", "4");
    Files.writeString(
        folder.resolve("program.py"),
        """
        import os, signal, sys, time
        name = sys.argv[1]
        if name != "plain":
            signal.signal(signal.SIGUSR1, lambda *_: print(name + " got it", flush=True))
        print(name + " is up", flush=True)
        while not os.path.exists("go"):
            time.sleep(0.05)
        time.sleep(0.05)  # a handler that is due runs
        """);
    Path srun = folder.resolve("srun");
    Files.writeString(
        srun,
        """
        #!/bin/sh
        trap 'kill -USR1 $program' USR1
        "$@" &
        program=$!
        while kill -0 $program 2>/dev/null; do wait; done
        """);
    srun.toFile().setExecutable(true);
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a script without a trap never gets it; what it runs gets it if it expects it
        "children:USR1|python3 program.py a; echo rc $?|0|a got it, rc 0",
        "USR1|python3 program.py a; echo rc $?|0|a got it, rc 0",
        "children:USR1|python3 program.py plain; echo rc $?|1|rc 0",
        "children:USR1|sh -c 'python3 program.py a; :'|0|a got it",
        "all:USR1|python3 program.py a; echo rc $?|0|a got it, rc 0",
        // of a script with a trap the word says who gets it
        "children:USR1|trap 'echo trap' USR1; python3 program.py a; echo rc $?|0|a got it, rc 0",
        "USR1|trap 'echo trap' USR1; python3 program.py a; echo rc $?|0|rc 0, trap",
        "all:USR1|trap 'echo trap' USR1; python3 program.py a; echo rc $?|0|a got it, rc 0, trap",
        "USR1|trap 'echo trap' USR1; python3 program.py a & wait; echo rc $?; wait|0|rc 138, trap",
        "children:USR1|python3 program.py a & wait; echo rc $?|0|a got it, rc 0",
        // the program in place of the shell is the first process
        "USR1|exec python3 program.py a|0|a got it",
        "children:USR1|exec python3 program.py a|1|",
        // what srun has started gets it once, from srun
        "children:USR1|./srun python3 program.py a; echo rc $?|0|a got it, rc 0",
        "USR1|./srun python3 program.py a; echo rc $?|0|a got it, rc 0",
        "all:USR1|./srun python3 program.py a; echo rc $?|0|a got it, rc 0",
        "children:USR1|trap 'echo trap' USR1; ./srun python3 program.py a|0|a got it",
      })
  void a_signal_reaches(String signal, String text, int code, String lines) throws Exception {
    Path at = Files.createTempDirectory(folder, "at");
    for (String file : new String[] {"program.py", "srun"}) {
      Files.copy(folder.resolve(file), at.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    String script = "#!/bin/bash\n#SBATCH -a 7\n" + text + "\n";
    ByteArrayInputStream in = new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8));
    Result submitted = service.cliIn(at, in, "submit");
    assertEquals(0, submitted.code(), submitted.err());
    String task = "" + (Long.parseLong(submitted.out().strip()) + 1);
    service.await("the program", LIMIT, () -> service.cli("logs", task).out().contains(" is up"));
    Result told = service.cli("signal", signal, task);
    Files.createFile(at.resolve("go"));
    assertEquals(0, service.cli("wait", task).code());
    assertEquals(code, told.code(), told::toString);
    assertEquals(code == 1, told.err().contains("nothing below its first process handles it"));
    TreeSet<String> said = new TreeSet<>(service.cli("logs", task).out().lines().toList());
    said.removeIf(line -> line.endsWith(" is up"));
    assertEquals(lines == null ? "" : lines, String.join(", ", said));
  }
}
