package io.remuda.coordinator.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each message of an actor has a line in a table of what it receives. Tests of single actors say in
 * which phase; this one leaves no actor out.
 */
class ReceiveTablesTest {

  /** Names of protocols that an actor declares for itself. */
  private static final Set<String> PROTOCOLS = Set.of("Command");

  @Test
  void each_message_is_received_by_the_actor_that_declares_it() {
    List<JavaClass> protocols =
        ProductionClasses.ALL.stream()
            .filter(type -> PROTOCOLS.contains(type.getSimpleName()))
            .filter(type -> type.getEnclosingClass().isPresent())
            .filter(type -> type.reflect().isSealed())
            .toList();
    assertTrue(protocols.size() > 12, protocols.toString());
    List<String> forgotten = new ArrayList<>();
    for (JavaClass protocol : protocols) {
      Set<String> received = received(protocol.getEnclosingClass().orElseThrow());
      Stream.of(protocol.reflect().getPermittedSubclasses())
          .filter(message -> !received.contains(message.getName()))
          .forEach(message -> forgotten.add(message.getName()));
    }
    assertEquals(List.of(), forgotten);
  }

  /** The classes in the receive tables of an actor, and of its phases in the same package. */
  private static Set<String> received(JavaClass actor) {
    Set<String> received = new HashSet<>();
    for (JavaClass type : actor.getPackage().getClasses()) {
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        boolean hasTable =
            unit.getMethodCallsFromSelf().stream()
                .anyMatch(call -> call.getTarget().getName().equals("onMessage"));
        if (hasTable) {
          unit.getReferencedClassObjects().stream()
              .map(ReferencedClassObject::getRawType)
              .forEach(message -> received.add(message.getName()));
        }
      }
    }
    return received;
  }
}
