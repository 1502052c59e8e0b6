package io.remuda.worker.workload.mnist;

import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The network of PyTorch's MNIST example: two 3x3 convolutions (1 to 32 to 64 channels), 2x2 max
 * pooling, two fully connected layers (9216 to 128 to 10), ReLU between them, dropout of 1/4 and
 * 1/2 in training.
 *
 * <p>The layers are created in the example's order, so that a seed gives equal weights as in
 * Python. Source: pytorch/examples, mnist/main.py. Used by one thread; closing it frees the
 * weights.
 */
final class MnistNet extends Module {

  /** 64 channels of 12x12. */
  private static final long FLAT = 9216;

  private final Conv2dImpl conv1;
  private final Conv2dImpl conv2;
  private final LinearImpl fc1;
  private final LinearImpl fc2;

  MnistNet() {
    try (LongPointer kernel = new LongPointer(3, 3)) {
      conv1 = register_module("conv1", new Conv2dImpl(1, 32, kernel));
      conv2 = register_module("conv2", new Conv2dImpl(32, 64, kernel));
    }
    fc1 = register_module("fc1", new LinearImpl(FLAT, 128));
    fc2 = register_module("fc2", new LinearImpl(128, 10));
  }

  /**
   * Returns the logarithm of each digit's probability.
   *
   * @param images n x 1 x 28 x 28, normalised
   * @return n x 10
   */
  Tensor forward(Tensor images) {
    boolean training = is_training();
    Tensor x = conv1.forward(images).relu_();
    x = conv2.forward(x).relu_();
    x = torch.max_pool2d(x, 2, 2);
    x = torch.dropout(x, 0.25, training);
    x = x.view(-1, FLAT);
    x = fc1.forward(x).relu_();
    x = torch.dropout(x, 0.5, training);
    return torch.log_softmax(fc2.forward(x), 1);
  }
}
