package io.remuda.agent.main;

import io.remuda.worker.job.SizeAndTimeParser;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts sizes on the command line. */
final class ByteSizeConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    try {
      return SizeAndTimeParser.bytes(value);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException(wrong.getMessage());
    }
  }
}
