package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class LibraryTuningVariablesTest {

  @Test
  void openmp_gets_the_threads_and_openblas_one() {
    assertEquals("3", LibraryTuningVariables.variables(3).get("OMP_NUM_THREADS"));
    assertEquals("1", LibraryTuningVariables.variables(3).get("OPENBLAS_NUM_THREADS"));
  }

  @Test
  void no_thread_at_all_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> LibraryTuningVariables.variables(0));
  }
}
