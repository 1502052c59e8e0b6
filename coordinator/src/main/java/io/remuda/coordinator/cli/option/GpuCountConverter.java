package io.remuda.coordinator.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of GPUs; says for a part of one how it is asked for. */
public final class GpuCountConverter implements ITypeConverter<Integer> {

  private static final String PART = "0?\\.\\d{1,3}";

  @Override
  public Integer convert(String value) {
    if (value.matches("\\d{1,9}|-\\d{1,9}")) {
      return Integer.valueOf(value);
    }
    if (value.matches(PART) && Double.parseDouble(value) > 0) {
      throw new TypeConversionException(
          "--gpus must be a whole number, got '"
              + value
              + "'; for a part of a GPU give --gpu-mem SIZE, or --per-gpu "
              + Math.max(1, Math.round(Math.floor(1 / Double.parseDouble(value))))
              + " for as many tasks on each");
    }
    throw new TypeConversionException("--gpus must be a whole number, got '" + value + "'");
  }
}
