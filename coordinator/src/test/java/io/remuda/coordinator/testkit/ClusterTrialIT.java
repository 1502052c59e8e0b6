package io.remuda.coordinator.testkit;
import java.nio.file.*;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
class ClusterTrialIT {
  @TempDir Path folder;
  @Test void runs() throws Exception {
    for (int i = 0; i < 5; i++) {
      long a = System.nanoTime();
      Cluster c = new Cluster(Installation.find(), folder.resolve("h" + i), Map.of());
      c.serve();
      long b = System.nanoTime();
      long job = c.submit("echo hi $REMUDA_TASK_INDEX", "count", 3);
      System.err.println(c.awaitEnd(job).path("state"));
      long d = System.nanoTime();
      c.agent("n2", "--cpus", "1"); c.awaitNode("n2", "ready");
      long e = System.nanoTime();
      c.close();
      System.err.printf("start %d job %d agent %d close %d%n", (b-a)/1000000, (d-b)/1000000, (e-d)/1000000, (System.nanoTime()-e)/1000000);
    }
  }
}
