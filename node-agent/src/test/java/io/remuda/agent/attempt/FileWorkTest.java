package io.remuda.agent.attempt;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FileWorkTest {

  private final FileWork files = FileWork.onThread("files", System::nanoTime);
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    files.close();
  }

  @Test
  void work_that_fails_in_any_way_has_its_result_and_those_behind_it_are_done() {
    for (Throwable fault : List.of(new OutOfMemoryError("heap"), new IllegalStateException("x"))) {
      files.add(
          () -> {
            throw sneaky(fault);
          },
          cause -> cause.getMessage(),
          told::add);
    }
    files.add(
        () -> {
          throw new OutOfMemoryError("heap");
        });
    files.add(() -> told.add("behind"));
    await().until(() -> told.size() == 3);
    assertEquals(List.of("heap", "x", "behind"), told);
    await().until(() -> files.busy().equals(Duration.ZERO));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneaky(Throwable fault) throws T {
    throw (T) fault;
  }
}
