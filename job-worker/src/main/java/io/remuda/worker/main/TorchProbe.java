package io.remuda.worker.main;

import io.remuda.worker.workload.mnist.NativeLibraries;
import java.nio.file.Path;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * {@code TorchProbe CACHE}: loads libtorch, adds two numbers with it and prints whether it works
 * and which build it is.
 */
public final class TorchProbe {

  private TorchProbe() {}

  public static void main(String[] arguments) throws Exception {
    NativeLibraries.prepare(Path.of(arguments[0]));
    try (Tensor one = torch.ones(1);
        Tensor two = one.add(one)) {
      String cuda =
          torch.cuda_is_available()
              ? "with CUDA"
              : torch.hasCUDA() ? "built for CUDA, but no CUDA device was found" : "for the CPU";
      System.out.println(
          two.item_float() == 2
              ? "libtorch loads and computes, " + cuda
              : "it loads but computes wrongly");
    }
  }
}
