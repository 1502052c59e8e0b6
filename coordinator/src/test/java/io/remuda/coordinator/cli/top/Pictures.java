package io.remuda.coordinator.cli.top;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.cli.top.TopScreenData.Gpu;
import io.remuda.coordinator.cli.top.TopScreenData.Job;
import io.remuda.coordinator.cli.top.TopScreenData.JobShare;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Pictures for tests. */
final class Pictures {
  static final long GIB = 1L << 30;
  static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

  private Pictures() {}

  /** Returns a GPU that was not drained for a reason. */
  static Gpu plainGpu(
      String node,
      boolean silent,
      String number,
      String model,
      String state,
      String health,
      long total,
      Long used,
      List<JobShare> parts,
      Long others,
      Integer utilization,
      Integer celsius,
      Double watts) {
    return new Gpu(
        node,
        silent,
        number,
        model,
        state,
        "",
        health,
        total,
        used,
        parts,
        others,
        utilization,
        celsius,
        watts,
        "");
  }

  /** Returns a picture without a note. */
  static TopScreenData withoutNote(
      Instant at, int nodes, int silent, List<Gpu> gpus, int running, int waiting, List<Job> jobs) {
    return new TopScreenData(at, nodes, silent, gpus, running, waiting, jobs, "");
  }

  static JobShare shared(long job, long reservedGib, long usedGib) {
    return new JobShare(job, false, reservedGib * GIB, usedGib * GIB);
  }

  static JobShare whole(long job, long totalGib, long usedGib) {
    return new JobShare(job, true, totalGib * GIB, usedGib * GIB);
  }

  /** A working GPU of 100 GiB. */
  static Gpu gpu(String node, int number, long usedGib, long othersGib, JobShare... parts) {
    return plainGpu(
        node,
        false,
        "" + number,
        "NVIDIA H200",
        parts.length == 0 ? "free" : "shared",
        "ok",
        100 * GIB,
        usedGib * GIB,
        List.of(parts),
        othersGib * GIB,
        87,
        61,
        250.4);
  }

  /** A GPU that does not answer. */
  static Gpu troubled(String node, boolean silent, String health) {
    return plainGpu(
        node, silent, "", "H200", "unfit", health, 0, null, List.of(), null, null, null, null);
  }

  /** Reads an answer of a server. */
  static JsonNode answer(String json) {
    try {
      return JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .build()
          .readTree(json);
    } catch (IOException fault) {
      throw new IllegalArgumentException(json, fault);
    }
  }

  static Job job(long id, String name, String state, String reason) {
    return new Job(id, name, "ann", state, "", "2026-01-01T09:57:00Z", reason);
  }

  static TopScreenData of(List<Gpu> gpus, List<Job> jobs) {
    int waiting = (int) jobs.stream().filter(job -> job.state().equals("waiting")).count();
    return withoutNote(NOW, 3, 1, gpus, jobs.size() - waiting, waiting, jobs);
  }

  /** The GPUs of several nodes with eight each. */
  static List<Gpu> gpus(int count) {
    List<Gpu> gpus = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      gpus.add(gpu("node" + i / 8, i % 8, 50, 10, shared(i + 1, 60, 40)));
    }
    return gpus;
  }

  static List<Job> jobs(int count) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      jobs.add(job(i, "job" + i, "running", ""));
    }
    return jobs;
  }
}
