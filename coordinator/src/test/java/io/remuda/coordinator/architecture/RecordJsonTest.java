package io.remuda.coordinator.architecture;

import static io.remuda.coordinator.architecture.ProductionClasses.ALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A record with a component {@code x} and a method {@code isX()} is written to JSON with either of
 * them, by the JDK's order of methods, and may not be read back.
 */
class RecordJsonTest {

  @Test
  void no_record_has_a_getter_beside_a_component_of_the_same_name() {
    List<JavaClass> records = ALL.stream().filter(JavaClass::isRecord).toList();
    assertFalse(records.isEmpty());
    assertEquals(List.of(), records.stream().flatMap(RecordJsonTest::shadowed).toList());
  }

  private static Stream<String> shadowed(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .map(JavaField::getName)
        .filter(
            name ->
                type.tryGetMethod("is" + capital(name)).isPresent()
                    || type.tryGetMethod("get" + capital(name)).isPresent())
        .map(name -> type.getSimpleName() + "." + name);
  }

  private static String capital(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}
