package io.remuda.telemetry.nvml;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import java.util.EnumMap;
import java.util.Map;

/**
 * The JNA binding of NVML. Functions are resolved one by one, because older drivers lack newer
 * functions and must lose only those readings. Thread-safe.
 */
final class NvmlLibrary implements Nvml {
  /** RTLD_LAZY without RTLD_GLOBAL: the driver's symbols do not clash with other libraries. */
  private static final Map<String, Object> LOCAL = Map.of(Library.OPTION_OPEN_FLAGS, 1);

  private final Map<NvmlFunction, Function> functions = new EnumMap<>(NvmlFunction.class);

  private NvmlLibrary(NativeLibrary library) {
    for (NvmlFunction function : NvmlFunction.values()) {
      resolve(library, function);
    }
  }

  /**
   * Loads a library, by path or by the name that the loader looks up.
   *
   * @throws UnsatisfiedLinkError when the library is missing or JNA itself cannot be loaded
   */
  static NvmlLibrary load(String pathOrName) {
    return new NvmlLibrary(NativeLibrary.getInstance(pathOrName, LOCAL));
  }

  private void resolve(NativeLibrary library, NvmlFunction function) {
    try {
      functions.put(function, library.getFunction(function.symbol()));
    } catch (UnsatisfiedLinkError e) {
      // absent from this driver: calls return FUNCTION_NOT_FOUND
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
