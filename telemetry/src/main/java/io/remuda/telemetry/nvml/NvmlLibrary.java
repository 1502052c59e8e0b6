package io.remuda.telemetry.nvml;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import java.util.EnumMap;
import java.util.Map;

/**
 * The JNA mirror of NVML. Each function is resolved by itself, because older drivers lack the newer
 * ones and that must cost one reading, not all. May be called by several threads.
 */
final class NvmlLibrary implements Nvml {
  /** RTLD_LAZY without RTLD_GLOBAL: the driver's symbols stay out of the way of other libraries. */
  private static final Map<String, Object> LOCAL = Map.of(Library.OPTION_OPEN_FLAGS, 1);

  private final Map<NvmlFunction, Function> functions = new EnumMap<>(NvmlFunction.class);

  private NvmlLibrary(NativeLibrary library) {
    for (NvmlFunction function : NvmlFunction.values()) {
      resolve(library, function);
    }
  }

  /**
   * Loads a library, by path or by the name the loader looks up.
   *
   * @throws UnsatisfiedLinkError when there is none, or JNA itself cannot be loaded
   */
  static NvmlLibrary load(String pathOrName) {
    return new NvmlLibrary(NativeLibrary.getInstance(pathOrName, LOCAL));
  }

  private void resolve(NativeLibrary library, NvmlFunction function) {
    try {
      functions.put(function, library.getFunction(function.symbol()));
    } catch (UnsatisfiedLinkError e) {
      // absent from this driver: calls answer FUNCTION_NOT_FOUND
    }
  }

  @Override
  public NvmlReturn call(NvmlFunction function, Object... arguments) {
    Function resolved = functions.get(function);
    return resolved == null
        ? NvmlReturn.FUNCTION_NOT_FOUND
        : NvmlReturn.of(resolved.invokeInt(arguments));
  }
}
