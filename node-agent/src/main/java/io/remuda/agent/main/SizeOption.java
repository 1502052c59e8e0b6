package io.remuda.agent.main;

import io.remuda.worker.job.Quantities;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts sizes on the command line. */
final class SizeOption implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    try {
      return Quantities.bytes(value);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException(wrong.getMessage());
    }
  }
}
