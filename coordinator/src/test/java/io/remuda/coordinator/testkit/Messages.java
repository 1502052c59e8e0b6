package io.remuda.coordinator.testkit;

import com.tngtech.archunit.core.domain.JavaClass;
import io.remuda.coordinator.architecture.ProductionClasses;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Samples of a sealed protocol, private messages too: one of each permitted class, built from
 * records, enums and the values that a test gives for everything else.
 */
public final class Messages {
  private final List<Object> values;

  private Messages(List<Object> values) {
    this.values = values;
  }

  /**
   * One message of each class that {@code sealed} permits.
   *
   * @param values for components; the first that fits is taken
   */
  public static <C> List<C> oneOfEach(Class<C> sealed, Object... values) {
    return oneOfEach(sealed, permitted(sealed).toList(), values);
  }

  /** Returns the classes that a sealed interface permits, also by way of other interfaces. */
  private static Stream<Class<?>> permitted(Class<?> sealed) {
    return Stream.of(sealed.getPermittedSubclasses())
        .flatMap(
            type ->
                type.isInterface() ? implementations(type).stream() : Stream.<Class<?>>of(type));
  }

  private static <C> List<C> oneOfEach(Class<C> protocol, List<Class<?>> types, Object... values) {
    Messages messages = new Messages(Arrays.asList(values));
    return types.stream().map(type -> protocol.cast(messages.make(type))).toList();
  }

  /**
   * One message of each class of the product that implements {@code open}, a protocol that is not
   * sealed because its classes are in several packages.
   *
   * @param values for components; the first that fits is taken
   */
  public static <C> List<C> oneOfEachThatImplements(Class<C> open, Object... values) {
    return oneOfEach(open, implementations(open), values);
  }

  /** The classes of the product, private ones too, that implement a protocol, by name. */
  public static List<Class<?>> implementations(Class<?> protocol) {
    return ProductionClasses.ALL.stream()
        .filter(type -> !type.isInterface() && type.isAssignableTo(protocol))
        .sorted(Comparator.comparing(JavaClass::getName))
        .<Class<?>>map(JavaClass::reflect)
        .toList();
  }

  /** The only value of an enum among the permitted classes, such as a timer's private one. */
  public static <C> C only(Class<C> sealed, String simpleName) {
    return Stream.of(sealed.getPermittedSubclasses())
        .filter(type -> type.getSimpleName().equals(simpleName))
        .map(type -> sealed.cast(type.getEnumConstants()[0]))
        .findFirst()
        .orElseThrow(() -> new AssertionError(sealed + " permits no " + simpleName));
  }

  private Object make(Class<?> type) {
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    for (Object value : values) {
      if (type.isInstance(value)) {
        return value;
      }
    }
    if (type.isPrimitive()) {
      return type == boolean.class ? (Object) true : number(type);
    }
    if (type == List.class) {
      return List.of();
    }
    if (type == byte[].class) {
      return new byte[0];
    }
    if (type == Map.class) {
      return Map.of();
    }
    if (type == Set.class) {
      return Set.of();
    }
    if (type == Integer.class) {
      return 1;
    }
    if (type == String.class) {
      return "n1";
    }
    if (type.isRecord()) {
      return record(type);
    }
    throw new AssertionError("give a value for " + type);
  }

  private static Object number(Class<?> type) {
    if (type == int.class) {
      return 1;
    }
    return type == long.class ? (Object) 1L : (Object) 1.0;
  }

  private Object record(Class<?> type) {
    List<Class<?>> types = new ArrayList<>();
    List<Object> arguments = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      types.add(component.getType());
      arguments.add(make(component.getType()));
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types.toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return constructor.newInstance(arguments.toArray());
    } catch (ReflectiveOperationException fault) {
      throw new AssertionError("no sample of " + type, fault);
    }
  }
}
