package io.remuda.coordinator.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.testkit.Messages;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Each message of an actor has a line in a table of what an actor receives. Tests of single actors
 * say in which phase; this one leaves no actor out.
 */
class ReceiveTablesTest {

  /** In no table: AgentSession wraps them, sends the first, and takes any other for the second. */
  private static final Set<Class<?>> WRAPPED =
      Set.of(MessageToAgentSession.Send.class, MessageToAgentSession.Close.class);

  @Test
  void each_message_is_in_a_receive_table() {
    List<JavaClass> protocols =
        ProductionClasses.ALL.stream()
            .filter(type -> type.isInterface() && type.getSimpleName().endsWith("Command"))
            .toList();
    assertTrue(protocols.size() >= 25, protocols.toString());
    Set<Class<?>> received = received();
    assertEquals(
        List.of(),
        protocols.stream()
            .flatMap(protocol -> Messages.implementations(protocol.reflect()).stream())
            .filter(message -> !received.contains(message) && !WRAPPED.contains(message))
            .map(Class::getName)
            .toList());
  }

  /** The classes that are named where a receive table is built. */
  private static Set<Class<?>> received() {
    return ProductionClasses.ALL.stream()
        .flatMap(type -> type.getCodeUnits().stream())
        .filter(ReceiveTablesTest::buildsTable)
        .flatMap(unit -> unit.getReferencedClassObjects().stream())
        .map(ReferencedClassObject::getRawType)
        .distinct()
        .map(JavaClass::reflect)
        .collect(Collectors.toSet());
  }

  private static boolean buildsTable(JavaCodeUnit unit) {
    return unit.getMethodCallsFromSelf().stream()
        .anyMatch(call -> call.getTarget().getName().equals("onMessage"));
  }
}
