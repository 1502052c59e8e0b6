package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.workload.mnist.MnistTraining.StepLr;
import java.io.IOException;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AdadeltaTest {

  @BeforeAll
  static void loadTorch() throws IOException {
    TorchForTests.load();
  }

  /** The parameter after each of ten steps against the formula, worked out in doubles. */
  @Test
  @SuppressWarnings("try")
  void a_parameter_follows_the_published_formula() {
    try (PointerScope scope = new PointerScope()) {
      Tensor p = torch.tensor(3.0f);
      p.set_requires_grad(true);
      Adadelta optimiser = new Adadelta(new TensorVector(p), 0.5);
      double value = 3.0;
      double square = 0;
      double change = 0;
      for (int step = 0; step < 10; step++) {
        double gradient = 2 * value;
        square = 0.9 * square + 0.1 * gradient * gradient;
        double delta = Math.sqrt(change + 1e-6) / Math.sqrt(square + 1e-6) * gradient;
        change = 0.9 * change + 0.1 * delta * delta;
        value -= 0.5 * delta;

        p.mutable_grad().put(new Tensor());
        p.mul(p).backward();
        optimiser.step();
        assertEquals(value, p.item_double(), 1e-6, "after step " + step);
      }
    }
  }

  @Test
  @SuppressWarnings("try")
  void the_schedule_multiplies_the_rate_by_gamma_after_each_epoch() {
    try (PointerScope scope = new PointerScope()) {
      Adadelta optimiser = new Adadelta(new TensorVector(), 1.5);
      StepLr schedule = new StepLr(optimiser, 0.7);
      schedule.step();
      assertEquals(1.5 * 0.7, optimiser.rate());
      schedule.step();
      assertEquals(1.5 * 0.7 * 0.7, optimiser.rate());
    }
  }
}
