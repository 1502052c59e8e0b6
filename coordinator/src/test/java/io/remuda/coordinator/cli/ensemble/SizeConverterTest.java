package io.remuda.coordinator.cli.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.ensemble.EnsembleOptions.SizeConverter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SizeConverterTest {
  private final SizeConverter converter = new SizeConverter();

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1073741824, 1073741824",
    "1k, 1024",
    "512MiB, 536870912",
    "512 mib, 536870912",
    "1GiB, 1073741824",
    "2G, 2147483648",
    "3gb, 3221225472",
    "1TiB, 1099511627776"
  })
  void a_size_has_an_optional_binary_suffix(String text, long size) {
    assertEquals(size, converter.convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "-1", "1.5G", "1PiB", "GiB", "1i", "99999999999999999999"})
  void what_is_no_size_is_refused_with_its_text(String text) {
    String message =
        assertThrows(TypeConversionException.class, () -> converter.convert(text)).getMessage();
    assertTrue(message.contains("'" + text + "'"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9007199254740992k", "99999999TiB", "8388608 TiB"})
  void what_is_too_large_for_a_long_is_refused(String text) {
    assertTrue(
        assertThrows(TypeConversionException.class, () -> converter.convert(text))
            .getMessage()
            .contains("too large"));
  }
}
