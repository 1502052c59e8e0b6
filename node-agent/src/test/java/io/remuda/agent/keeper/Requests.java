package io.remuda.agent.keeper;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Builds requests for tests: a key, a command, and the rest as good defaults in one folder. */
record Requests(Path folder, List<String> devices, long contactMillis, long graceMillis) {

  static Requests in(Path folder) {
    return new Requests(folder, List.of(), 0, 2000);
  }

  Requests lending(String... uuids) {
    return new Requests(folder, List.of(uuids), contactMillis, graceMillis);
  }

  Requests leasedFor(long millis) {
    return new Requests(folder, devices, millis, graceMillis);
  }

  Requests withGrace(long millis) {
    return new Requests(folder, devices, contactMillis, millis);
  }

  SpawnRequest run(String key, String... argv) {
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

  SpawnRequest shell(String key, String script) {
    return run(key, "/bin/sh", "-c", script);
  }
}
