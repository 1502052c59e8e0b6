package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.cluster.watch.DeadMemberWatch;
import io.remuda.coordinator.testkit.Messages;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.Serializer;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What coordinators say to each other. */
class ClusterMessagesTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString(
                  "pekko.loglevel = WARNING\npekko.actor.provider = local\n"
                      + "pekko.serialization.jackson.jackson-cbor.compression.algorithm = off")
              .withFallback(ConfigFactory.load("coordinator")));
  private static final ObjectMapper CBOR = CBORMapper.builder().build();

  @AfterAll
  static void end() {
    KIT.shutdownTestKit();
  }

  static Stream<ClusterMessage> one_of_each() {
    return Stream.of(
        new LeaderCommand.ForwardedRequest(
            7,
            "ann",
            true,
            "POST",
            "/jobs?dryRun",
            "{\"argv\":[\"true\"]}".getBytes(),
            KIT.<ForwardedAnswer>createTestProbe().ref()),
        new LeaderCommand.LookAtLeader(KIT.<LeaderNotice>createTestProbe().ref()),
        new ForwardedAnswer(
            7, 201, "application/json", Map.of("Remuda-Size", "3"), new byte[] {1, 2, 3}),
        new ForwardedAnswer(8, 204, "text/plain", Map.of(), new byte[0]),
        new LeaderNotice("a", "10.0.0.1:7411", 1795565859822L, 1795565859800L, "0.1.0", "full"),
        new LeaderNotice("a", "10.0.0.1:7411", 1795565859822L, 1795565859800L, "0.1.0", null),
        new DeadMemberWatch.Ping(KIT.<DeadMemberWatch.Pong>createTestProbe().ref()),
        new DeadMemberWatch.Pong("a"),
        new DeadMemberWatch.LookAt("b", KIT.<DeadMemberWatch.Seen>createTestProbe().ref()),
        new DeadMemberWatch.Seen("b", "a", true));
  }

  private static Serialization serialization() {
    return SerializationExtension.get(KIT.system().classicSystem());
  }

  private static String manifest(Serializer serializer, Object message) {
    return ((SerializerWithStringManifest) serializer).manifest(message);
  }

  @ParameterizedTest
  @MethodSource("one_of_each")
  void a_message_travels_as_cbor_and_comes_as_it_was(ClusterMessage message) {
    Serializer serializer = serialization().findSerializerFor(message);
    assertTrue(
        serializer.getClass().getSimpleName().contains("JacksonCbor"), serializer.toString());
    byte[] bytes = serialization().serialize(message).get();
    Object read =
        serialization()
            .deserialize(bytes, serializer.identifier(), manifest(serializer, message))
            .get();
    assertEquals(message, read);
  }

  @ParameterizedTest
  @MethodSource("one_of_each")
  void a_field_that_only_a_later_version_knows_does_no_harm(ClusterMessage message)
      throws Exception {
    Serializer serializer = serialization().findSerializerFor(message);
    ObjectNode later = (ObjectNode) CBOR.readTree(serialization().serialize(message).get());
    later.put("ofLaterVersion", "x");
    Object read =
        serialization()
            .deserialize(
                CBOR.writeValueAsBytes(later),
                serializer.identifier(),
                manifest(serializer, message))
            .get();
    assertEquals(message, read);
  }

  @Test
  void each_marked_type_is_tested() {
    assertEquals(
        Messages.implementations(ClusterMessage.class),
        one_of_each()
            .<Class<?>>map(ClusterMessage::getClass)
            .distinct()
            .sorted(Comparator.comparing(Class::getName))
            .toList());
  }

  @Test
  void who_is_answered_is_answered_with_a_marked_type() {
    for (Class<?> message : Messages.implementations(ClusterMessage.class)) {
      for (RecordComponent part : message.getRecordComponents()) {
        if (part.getType() == ActorRef.class) {
          ParameterizedType address = (ParameterizedType) part.getGenericType();
          Class<?> answer = (Class<?>) address.getActualTypeArguments()[0];
          assertTrue(ClusterMessage.class.isAssignableFrom(answer), message + " " + part.getName());
        }
      }
    }
  }
}
