package io.remuda.worker.workload.mnist;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The Adadelta optimiser, which libtorch's C++ front end lacks. It performs the operations of
 * Python's {@code torch.optim.Adadelta} with its defaults, so that both give equal numbers. For a
 * parameter p with gradient g, element by element:
 *
 * <pre>
 * square = rho * square + (1 - rho) * g²
 * delta  = sqrt(change + eps) / sqrt(square + eps) * g
 * change = rho * change + (1 - rho) * delta²
 * p      = p - rate * delta
 * </pre>
 *
 * <p>Source: Zeiler, "ADADELTA: An Adaptive Learning Rate Method", arXiv 1212.5701, and PyTorch's
 * documentation of the class. Results are written into preallocated tensors. Must be constructed
 * inside the pointer scope that owns those tensors, and used by one thread.
 */
final class Adadelta {

  private static final double RHO = 0.9;
  private static final double EPS = 1e-6;

  /** Kept because the tensors obtained from it become invalid with it. */
  private final TensorVector vector;

  private final List<Slot> slots = new ArrayList<>();
  private final Scalar rho = new Scalar(RHO);
  private final Scalar rest = new Scalar(1 - RHO);
  private final Scalar eps = new Scalar(EPS);
  private double rate;

  /** One parameter with its two running means and two work tensors. */
  private record Slot(Tensor parameter, Tensor square, Tensor change, Tensor std, Tensor delta) {}

  @SuppressWarnings("try") // the guard takes effect while open
  Adadelta(TensorVector parameters, double rate) {
    this.vector = parameters;
    this.rate = rate;
    try (NoGradGuard noGrad = new NoGradGuard()) {
      for (long i = 0; i < vector.size(); i++) {
        Tensor parameter = new Tensor(vector.get(i));
        slots.add(
            new Slot(
                parameter,
                torch.zeros_like(parameter),
                torch.zeros_like(parameter),
                torch.zeros_like(parameter),
                torch.zeros_like(parameter)));
      }
    }
  }

  /**
   * Returns all tensors that the next step depends on, by name: each parameter and its two running
   * means. Writing into them changes the optimiser and the network.
   */
  Map<String, Tensor> tensors() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (int i = 0; i < slots.size(); i++) {
      tensors.put("parameter-" + i, slots.get(i).parameter);
      tensors.put("square-" + i, slots.get(i).square);
      tensors.put("change-" + i, slots.get(i).change);
    }
    return tensors;
  }

  /** Returns name and constants, as a snapshot records them. */
  static String description() {
    return "Adadelta rho " + RHO + " eps " + EPS;
  }

  double rate() {
    return rate;
  }

  void rate(double rate) {
    this.rate = rate;
  }

  /** Updates every parameter by its gradient. */
  @SuppressWarnings("try") // scope and guard take effect while open
  void step() {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGrad = new NoGradGuard();
        Scalar minusRate = new Scalar(-rate)) {
      for (Slot slot : slots) {
        step(slot, slot.parameter.grad(), minusRate);
      }
    }
  }

  private void step(Slot slot, Tensor grad, Scalar minusRate) {
    slot.square.mul_(rho).addcmul_(grad, grad, rest);
    torch.add_out(slot.std, slot.square, eps).sqrt_();
    torch.add_out(slot.delta, slot.change, eps).sqrt_();
    slot.delta.div_(slot.std).mul_(grad);
    slot.change.mul_(rho).addcmul_(slot.delta, slot.delta, rest);
    slot.parameter.add_(slot.delta, minusRate);
  }
}
