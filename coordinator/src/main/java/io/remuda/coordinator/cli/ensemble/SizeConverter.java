package io.remuda.coordinator.cli.ensemble;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A count with an optional binary suffix: {@code 1073741824}, {@code 1GiB}, {@code 512MiB}. */
final class SizeConverter implements ITypeConverter<Long> {

  private static final Pattern FORM = Pattern.compile("(\\d{1,40})\\s*(|[kmgt]i?b?)");
  private static final Map<Character, Integer> SHIFTS = Map.of('k', 10, 'm', 20, 'g', 30, 't', 40);

  @Override
  public Long convert(String value) {
    Matcher matcher = FORM.matcher(value.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + value + "' is not a size: give a number, or one with KiB, MiB, GiB or TiB");
    }
    String suffix = matcher.group(2);
    int shift = suffix.isEmpty() ? 0 : SHIFTS.get(suffix.charAt(0));
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
    } catch (ArithmeticException | NumberFormatException tooLarge) {
      throw new TypeConversionException("'" + value + "' is too large");
    }
  }
}
