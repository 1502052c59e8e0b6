package io.remuda.coordinator.api;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Takes some components of a record from another one. */
final class RecordComponentMerger {

  private RecordComponentMerger() {}

  /**
   * Returns a record with the components of {@code wanted} that given fields stand for, and all
   * others of {@code old}.
   *
   * @param fields those that stand for each component, by its name
   * @throws IllegalArgumentException if the components contradict each other
   */
  static <R extends Record> R of(
      R old, R wanted, Map<String, Set<String>> fields, Set<String> given) {
    RecordComponent[] components = old.getClass().getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values = new Object[components.length];
    try {
      for (int i = 0; i < values.length; i++) {
        Set<String> its = fields.getOrDefault(components[i].getName(), Set.of());
        values[i] =
            components[i].getAccessor().invoke(Collections.disjoint(its, given) ? old : wanted);
      }
      @SuppressWarnings("unchecked") // it is the class of old
      R mixed = (R) old.getClass().getDeclaredConstructor(types).newInstance(values);
      return mixed;
    } catch (InvocationTargetException refused) {
      if (refused.getCause() instanceof IllegalArgumentException wrong) {
        throw wrong;
      }
      throw new IllegalStateException(refused.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
