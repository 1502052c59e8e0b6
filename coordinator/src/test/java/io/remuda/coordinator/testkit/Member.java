package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A living process that belongs to a run.
 *
 * @param commandLine its arguments, separated by blanks
 * @param folder of the task for a worker, of the node for an agent or keeper, else empty
 */
public record Member(long pid, Role role, String commandLine, String folder) {

  /** What a process is to the run. */
  public enum Role {
    COORDINATOR,
    AGENT,
    KEEPER,
    WORKER,
    /** A process on its way to be one of the others. */
    OTHER
  }

  private static final Map<Role, String> SIGNS =
      Map.of(
          Role.COORDINATOR, "coordinator.jar",
          Role.AGENT, "--join",
          Role.KEEPER, "io.remuda.agent.keeper.program.KeeperMain",
          Role.WORKER, "io.remuda.worker.main.WorkerMain");

  /** All living processes with this entry in their environment, by process id. */
  static List<Member> withEntry(String entry) {
    List<Member> found = new ArrayList<>();
    byte[] sought = entry.getBytes(StandardCharsets.UTF_8);
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (has(bytes(process.resolve("environ")), sought)) {
          found.add(read(process));
        }
      }
    } catch (IOException fault) {
      throw new IllegalStateException("cannot list /proc", fault);
    }
    found.removeIf(member -> member.commandLine().isEmpty()); // dead meanwhile
    found.sort((one, other) -> Long.compare(one.pid(), other.pid()));
    return found;
  }

  private static Member read(Path process) {
    String raw = new String(bytes(process.resolve("cmdline")), StandardCharsets.UTF_8);
    String[] arguments = raw.split("\0");
    String line = raw.replace('\0', ' ').strip();
    Role role = role(line);
    return new Member(
        Long.parseLong(process.getFileName().toString()), role, line, folder(role, arguments));
  }

  private static Role role(String line) {
    if (!line.split(" ", 2)[0].endsWith("java")) {
      return Role.OTHER; // such as an srun, which names what it starts
    }
    for (Map.Entry<Role, String> sign : SIGNS.entrySet()) {
      if (line.contains(sign.getValue())) {
        return sign.getKey();
      }
    }
    return Role.OTHER;
  }

  private static String folder(Role role, String[] arguments) {
    if (role == Role.AGENT) {
      return arguments[List.of(arguments).indexOf("--folder") + 1];
    }
    return role == Role.KEEPER || role == Role.WORKER ? arguments[arguments.length - 1] : "";
  }

  /** Empty if the process is gone or dead. */
  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException gone) {
      return new byte[0];
    }
  }

  /** The value that a variable has in the environment of this process, if it still lives. */
  public Optional<String> variable(String name) {
    byte[] environment = bytes(Path.of("/proc", Long.toString(pid), "environ"));
    return Stream.of(new String(environment, StandardCharsets.UTF_8).split("\0"))
        .filter(entry -> entry.startsWith(name + "="))
        .map(entry -> entry.substring(name.length() + 1))
        .findFirst();
  }

  private static boolean has(byte[] environment, byte[] entry) {
    for (int from = 0; from + entry.length <= environment.length; from++) {
      int end = from + entry.length;
      boolean whole = end == environment.length || environment[end] == 0;
      if (whole && Arrays.equals(environment, from, end, entry, 0, entry.length)) {
        return true;
      }
      while (from < environment.length && environment[from] != 0) {
        from++;
      }
    }
    return false;
  }

  /** Sends a signal, such as {@code KILL} or {@code STOP}; one that comes too late does nothing. */
  public void signal(String name) {
    if (name.equals("KILL")) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      return;
    }
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(pid))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      kill.waitFor(60, TimeUnit.SECONDS);
    } catch (IOException fault) {
      throw new IllegalStateException("cannot run kill", fault);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    String name = folder.isEmpty() ? "" : " " + Path.of(folder).getFileName();
    return role.name().toLowerCase(Locale.ROOT) + " " + pid + name;
  }
}
