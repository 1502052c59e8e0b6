package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
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
        new LeaderNotice("a", "10.0.0.1:7411", 1795565859822L, 1795565859800L, "0.1.0", "full"));
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
    Set<String> marked =
        new ClassFileImporter()
            .importPackages("io.remuda.coordinator").stream()
                .filter(type -> type.isAssignableTo(ClusterMessage.class))
                .filter(JavaClass::isRecord)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
    List<String> sampled =
        one_of_each().map(message -> message.getClass().getName()).sorted().toList();
    assertEquals(marked.stream().sorted().toList(), sampled);
  }
}
