package io.remuda.worker.workload.mnist;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * The state of a training as bytes: weights, running means of the optimiser, and libtorch's default
 * random generators, from which dropout and the order of the images come. Tensors lie on the
 * device; their bytes are their elements in row-major order, as in the CPU's memory. Used by the
 * training thread between two epochs.
 */
final class TrainingState {

  private static final String CPU_GENERATOR = "generator-cpu";
  private static final String CUDA_GENERATOR = "generator-cuda";

  private final Adadelta optimiser;
  private final Device device;

  TrainingState(Adadelta optimiser, Device device) {
    this.optimiser = optimiser;
    this.device = device;
  }

  double rate() {
    return optimiser.rate();
  }

  /** Returns the sizes of all layers, such as {@code 32x1x3x3 32 64x32x3x3 64}. */
  String network() {
    return optimiser.tensors().entrySet().stream()
        .filter(tensor -> tensor.getKey().startsWith("parameter-"))
        .map(tensor -> sizes(tensor.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static String sizes(Tensor tensor) {
    return LongStream.of(tensor.shape()).mapToObj(Long::toString).collect(Collectors.joining("x"));
  }

  /** Returns copies of all states. */
  @SuppressWarnings("try") // the scope takes effect while open
  Map<String, byte[]> copy() {
    Map<String, byte[]> states = new LinkedHashMap<>();
    try (PointerScope scope = new PointerScope()) {
      optimiser.tensors().forEach((name, tensor) -> states.put(name, bytes(tensor)));
      states.put(CPU_GENERATOR, bytes(torch.getDefaultCPUGenerator().get_state()));
      if (device.is_cuda()) {
        states.put(CUDA_GENERATOR, bytes(cudaGenerator().get_state()));
      }
    }
    return states;
  }

  /**
   * Continues from copied states. The generator of CUDA stays as it is where the states come from a
   * training on the CPU.
   *
   * @param rate the learning rate of the next epoch
   * @throws SnapshotDamagedException if a state is missing or has another length; the training is
   *     then unusable
   */
  @SuppressWarnings("try") // scope and guard take effect while open
  void restore(Map<String, byte[]> states, double rate) throws SnapshotDamagedException {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGrad = new NoGradGuard()) {
      for (Map.Entry<String, Tensor> tensor : optimiser.tensors().entrySet()) {
        fill(tensor.getValue(), tensor.getKey(), states);
      }
      restore(torch.getDefaultCPUGenerator(), CPU_GENERATOR, states);
      if (device.is_cuda() && states.containsKey(CUDA_GENERATOR)) {
        restore(cudaGenerator(), CUDA_GENERATOR, states);
      }
    }
    optimiser.rate(rate);
  }

  private static void restore(Generator generator, String name, Map<String, byte[]> states)
      throws SnapshotDamagedException {
    Tensor state = generator.get_state();
    fill(state, name, states);
    generator.set_state(state);
  }

  private static void fill(Tensor tensor, String name, Map<String, byte[]> states)
      throws SnapshotDamagedException {
    byte[] bytes = states.get(name);
    if (bytes == null || bytes.length != tensor.nbytes()) {
      String found = bytes == null ? "is missing" : "has " + bytes.length + " bytes";
      throw new SnapshotDamagedException(
          "its " + name + " " + found + " instead of " + tensor.nbytes());
    }
    TensorOptions options = new TensorOptions(tensor.scalar_type());
    Tensor source = torch.empty(tensor.shape(), options, null);
    new BytePointer(source.data_ptr()).capacity(bytes.length).put(bytes);
    tensor.copy_(source);
  }

  private static byte[] bytes(Tensor tensor) {
    Tensor contiguous = tensor.detach().cpu().contiguous();
    byte[] bytes = new byte[Math.toIntExact(contiguous.nbytes())];
    new BytePointer(contiguous.data_ptr()).capacity(bytes.length).get(bytes);
    return bytes;
  }

  private Generator cudaGenerator() {
    return torch.globalContext().defaultGenerator(device);
  }
}
