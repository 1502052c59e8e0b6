package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.SpawnRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Builds requests for tests: a key, a command, and the rest as good defaults in one folder. */
public record Requests(Path folder, List<String> devices, long contactMillis, long graceMillis) {

  public static Requests in(Path folder) {
    return new Requests(folder, List.of(), 0, 2000);
  }

  public Requests lending(String... uuids) {
    return new Requests(folder, List.of(uuids), contactMillis, graceMillis);
  }

  public Requests leasedFor(long millis) {
    return new Requests(folder, devices, millis, graceMillis);
  }

  Requests withGrace(long millis) {
    return new Requests(folder, devices, contactMillis, millis);
  }

  public SpawnRequest run(String key, String... argv) {
    return new SpawnRequest(
        key,
        List.of(argv),
        Map.of("PATH", System.getenv("PATH")),
        folder,
        folder.resolve("out"),
        folder.resolve("err"),
        folder,
        devices,
        contactMillis,
        graceMillis);
  }

  public SpawnRequest shell(String key, String script) {
    return run(key, "/bin/sh", "-c", script);
  }
}
