package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MnistNetTest {

  @BeforeAll
  static void loadTorch() throws IOException {
    TorchForTests.load();
  }

  @Test
  @SuppressWarnings("try")
  void the_layers_have_the_sizes_of_the_example() {
    try (PointerScope scope = new PointerScope()) {
      TensorVector parameters = new MnistNet().parameters();
      List<Long> sizes = new ArrayList<>();
      for (long i = 0; i < parameters.size(); i++) {
        sizes.add(new Tensor(parameters.get(i)).numel());
      }
      assertEquals(
          List.of(32L * 9, 32L, 64L * 32 * 9, 64L, 9216L * 128, 128L, 128L * 10, 10L), sizes);
    }
  }

  @Test
  @SuppressWarnings("try")
  void the_output_is_a_probability_for_each_of_ten_digits() {
    try (PointerScope scope = new PointerScope()) {
      MnistNet net = new MnistNet();
      net.eval();
      Tensor output = net.forward(torch.rand(5, 1, 28, 28));
      assertArrayEquals(new long[] {5, 10}, output.shape());
      assertEquals(5.0, output.exp().sum().item_double(), 1e-4);
    }
  }

  @Test
  @SuppressWarnings("try")
  void dropout_is_on_in_training_only() {
    try (PointerScope scope = new PointerScope()) {
      MnistNet net = new MnistNet();
      Tensor image = torch.rand(1, 1, 28, 28);
      net.eval();
      assertEquals(0.0, difference(net, image));
      net.train(true);
      assertEquals(1.0, Math.signum(difference(net, image)));
    }
  }

  private static double difference(MnistNet net, Tensor image) {
    return net.forward(image).sub(net.forward(image)).abs().sum().item_double();
  }
}
