package io.remuda.coordinator.cli.top;

import static io.remuda.coordinator.cli.top.Pictures.gpu;
import static io.remuda.coordinator.cli.top.Pictures.job;
import static io.remuda.coordinator.cli.top.Pictures.shared;
import static io.remuda.coordinator.cli.top.Pictures.whole;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.cli.top.TopScreenData.Gpu;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobDependency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The picture of {@code remuda top} in the README is what it draws. */
class ReadmePictureTest {
  private static final int WIDTH = 100;

  @Test
  void the_readme_shows_what_top_draws() throws IOException {
    TopScreenData picture =
        Pictures.withoutNote(
            Pictures.NOW,
            2,
            0,
            List.of(
                busy(
                    93,
                    gpu(
                        "lab7",
                        0,
                        72,
                        0,
                        shared(12, 30, 28),
                        shared(13, 30, 26),
                        shared(14, 30, 18))),
                busy(88, gpu("lab7", 1, 91, 0, whole(15, 100, 91))),
                busy(41, gpu("lab8", 0, 46, 20, shared(16, 30, 26))),
                busy(0, gpu("lab8", 1, 0, 0))),
            5,
            2,
            List.of(
                job(12, "lr-0.1", "running", ""),
                job(13, "lr-0.3", "running", ""),
                job(14, "lr-0.5", "running", ""),
                job(15, "resnet", "running", ""),
                job(16, "eval", "running", ""),
                waiting(
                    17,
                    "llama",
                    TaskState.WAITING,
                    new WaitReason.TooFewFreeGpus("lab7", 2, 0, 2),
                    new WaitReason.TooFewFreeGpus("lab8", 2, 1, 2)),
                waiting(
                    18,
                    "report",
                    TaskState.SUBMITTED,
                    new WaitReason.AfterJob(JobDependency.parse("17:ok")))));
    String drawn =
        String.join("\n", TopText.of(picture, OptionalInt.of(WIDTH), ZoneOffset.UTC, true));
    String readme = Files.readString(Path.of("..", "README.md"));
    assertTrue(readme.contains(drawn), () -> "README.md lacks this picture:\n" + drawn);
  }

  /** A job that waits, with its reasons as the server says them. */
  private static TopScreenData.Job waiting(
      long id, String name, TaskState state, WaitReason... reasons) {
    return job(id, name, state.label(), String.join("; ", WaitText.lines(List.of(reasons))));
  }

  private static Gpu busy(int percent, Gpu gpu) {
    return Pictures.plainGpu(
        gpu.node(),
        gpu.silent(),
        gpu.number(),
        gpu.model(),
        gpu.state(),
        gpu.health(),
        gpu.total(),
        gpu.used(),
        gpu.parts(),
        gpu.others(),
        percent,
        40 + percent / 4,
        70.0 + 4 * percent);
  }
}
