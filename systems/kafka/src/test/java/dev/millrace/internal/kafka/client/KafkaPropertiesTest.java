package dev.millrace.internal.kafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.DataPlane;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

class KafkaPropertiesTest {
  private static String only(String name, String value) {
    List<KafkaProperties.Problem> problems = KafkaProperties.problems(Map.of(name, value));
    assertEquals(1, problems.size(), problems::toString);
    assertEquals(name, problems.getFirst().name());
    return problems.getFirst().message();
  }

  private static void none(Map<String, String> properties) {
    assertEquals(List.of(), KafkaProperties.problems(properties));
  }

  @Test
  void propertiesOfAnyOfTheClientsAreFine() {
    none(Map.of());
    none(
        Map.of(
            "fetch.max.bytes", "1000000",
            "linger.ms", "5",
            "retries", "3",
            "compression.type", "lz4",
            "security.protocol", "SASL_SSL",
            "request.timeout.ms", "20000"));
  }

  @Test
  void anUnknownNameComesWithTheNearestKnownOne() {
    assertTrue(only("linger.mss", "5").contains("'linger.ms'"));
    assertTrue(only("compresion.type", "lz4").contains("'compression.type'"));
    assertTrue(only("fetch.max.byets", "5").contains("'fetch.max.bytes'"));
    String far = only("colour", "blue");
    assertFalse(far.contains("did you mean"), far);
  }

  @Test
  void namesThatCannotBeSetAreNotSuggested() {
    String message = only("group.ids", "x");
    assertFalse(message.contains("'group.id'"), message);
  }

  @Test
  void whatTheEngineOwnsIsRefusedWithTheReason() {
    for (String name :
        List.of(
            "transactional.id",
            "enable.auto.commit",
            "isolation.level",
            "enable.idempotence",
            "acks",
            "group.id",
            "group.protocol",
            "key.serializer",
            "value.serializer",
            "key.deserializer",
            "value.deserializer",
            "auto.offset.reset",
            "client.id",
            "bootstrap.servers",
            "max.in.flight.requests.per.connection",
            "transaction.timeout.ms",
            "interceptor.classes")) {
      String message = only(name, "x");
      assertTrue(message.startsWith("'" + name + "' cannot be set: "), message);
      assertTrue(message.length() > name.length() + 30, message);
    }
  }

  @Test
  void allThatIsOwnedIsKnownToSomeClient() {
    // A name that no client knows would be a slip in the list.
    for (String name : KafkaProperties.OWNED.keySet()) {
      assertTrue(
          ConsumerConfig.configNames().contains(name)
              || ProducerConfig.configNames().contains(name)
              || AdminClientConfig.configNames().contains(name),
          name);
    }
  }

  @Test
  void aValueThatDoesNotFitIsNamed() {
    assertTrue(only("linger.ms", "soon").contains("soon"));
    assertTrue(only("fetch.max.bytes", "-5").contains("-5"));
    assertTrue(only("compression.type", "zip").contains("zip"));
  }

  @Test
  void allProblemsAreFoundInTheOrderOfTheirNames() {
    assertEquals(
        List.of("acks", "fetch.max.bytes", "no.such.thing"),
        KafkaProperties.problems(
                Map.of(
                    "no.such.thing", "1",
                    "acks", "1",
                    "linger.ms", "1",
                    "fetch.max.bytes", "many"))
            .stream()
            .map(KafkaProperties.Problem::name)
            .toList());
  }

  @Test
  void loginModulesComeFromAList() {
    String plain = "org.apache.kafka.common.security.plain.PlainLoginModule required";
    none(Map.of("sasl.jaas.config", plain + " username=\"u\" password=\"s3cret\";"));
    String message = only("sasl.jaas.config", "com.evil.Module required password=\"s3cret\";");
    assertTrue(message.contains("com.evil.Module"), message);
    assertFalse(message.contains("s3cret"), message);
    String second =
        only("sasl.jaas.config", plain + " password=\"s3cret\"; com.evil.Module optional;");
    assertTrue(second.contains("com.evil.Module"), second);
    String empty = only("sasl.jaas.config", "s3cret");
    assertFalse(empty.contains("s3cret"), empty);
  }

  @Test
  void loginModulesAreFoundWhereKafkaFindsThem() {
    String plain = "org.apache.kafka.common.security.plain.PlainLoginModule";
    for (String fine :
        List.of(
            "\"" + plain + "\" required username='u' password=\"a;b \\\" c\";",
            "/* com.evil.Module required; */ " + plain + " REQUIRED x=\"y\";",
            plain + " required password=\"; com.evil.Module required;\";",
            plain + " required; // com.evil.Module required;\n" + plain + " optional;")) {
      none(Map.of("sasl.jaas.config", fine));
    }
    for (String evil :
        List.of(
            "\"com.evil.Module\" required;",
            "'com.evil.Module' required;",
            plain + " required;\"com.evil.Module\" optional a=b;",
            plain + " required a=b; /* as well */ com.evil.Module/**/optional;")) {
      String message = only("sasl.jaas.config", evil);
      assertTrue(message.contains("'com.evil.Module'"), message);
    }
    String open = only("sasl.jaas.config", plain + " required password=\"s3cret\"");
    assertFalse(open.contains("s3cret"), open);
  }

  @Test
  void variablesInALoginDoNotHideItsModules() {
    String plain = "org.apache.kafka.common.security.plain.PlainLoginModule required ";
    for (String fine :
        List.of(
            "${file:/etc/secrets/kafka:login}",
            plain + "password=\"${file:/etc/secrets/kafka:password}\";",
            plain + "username=${env:USER} password=\"x${env:PASSWORD}\";")) {
      assertEquals(List.of(), loginProblems(fine), fine);
    }
    for (String evil :
        List.of(
            "com.evil.Module required password=\"${env:PASSWORD}\";",
            plain + "password=\"${env:PASSWORD}\"; com.evil.Module required;",
            plain + "a=\"${none:\"; com.evil.Module required x=\" }\";",
            "${env:MODULE} required;",
            "com.${env:EVIL} required;")) {
      assertEquals(1, loginProblems(evil).size(), evil);
    }
  }

  private static List<KafkaProperties.Problem> loginProblems(String value) {
    String provider = "org.apache.kafka.common.config.provider.";
    return KafkaProperties.problems(
        Map.of(
            "config.providers",
            "file,env",
            "config.providers.file.class",
            provider + "FileConfigProvider",
            "config.providers.env.class",
            provider + "EnvVarConfigProvider",
            "sasl.jaas.config",
            value));
  }

  @Test
  void configProvidersComeFromAList() {
    String file = "org.apache.kafka.common.config.provider.FileConfigProvider";
    none(
        Map.of(
            "config.providers", "file",
            "config.providers.file.class", file,
            "config.providers.file.param.allowed.paths", "/etc/secrets",
            "ssl.keystore.password", "${file:/etc/secrets/kafka:keystore}",
            "linger.ms", "${file:/etc/secrets/kafka:linger}"));
    String message = only("config.providers.own.class", "com.evil.Provider");
    assertTrue(message.contains("com.evil.Provider"), message);
  }

  @Test
  void settingsDoNotShowTheValuesOfTheirProperties() {
    KafkaLogSettings settings =
        KafkaLogSettings.of("host:9092", "app")
            .withProperties(Map.of("ssl.key.password", "s3cret"));
    assertFalse(settings.toString().contains("s3cret"), settings::toString);
    assertTrue(settings.toString().contains("ssl.key.password"), settings::toString);
  }

  @Test
  void eachClientGetsWhatItKnows() {
    Map<String, String> properties =
        Map.of("linger.ms", "5", "fetch.max.bytes", "9", "retries", "1");
    assertEquals(
        Map.of("linger.ms", "5", "retries", "1"),
        KafkaProperties.knownTo(ProducerConfig.configDef(), properties));
    assertEquals(
        Map.of("fetch.max.bytes", "9"),
        KafkaProperties.knownTo(ConsumerConfig.configDef(), properties));
  }

  /// By what the client library has: an upgrade that brings a property fails here until somebody
  /// has looked at what it means to requests of our own.
  @Test
  void ofEachPropertyIsKnownWhetherRequestsOfOurOwnObeyIt() {
    Set<String> asked =
        Set.of(
            "batch.size",
            "buffer.memory",
            "client.dns.lookup",
            "compression.gzip.level",
            "compression.lz4.level",
            "compression.type",
            "compression.zstd.level",
            "config.providers",
            "connections.max.idle.ms",
            "delivery.timeout.ms",
            "fetch.max.bytes",
            "fetch.max.wait.ms",
            "fetch.min.bytes",
            "max.block.ms",
            "max.partition.fetch.bytes",
            "max.request.size",
            "metadata.max.age.ms",
            "metadata.recovery.rebootstrap.trigger.ms",
            "metadata.recovery.strategy",
            "receive.buffer.bytes",
            "reconnect.backoff.max.ms",
            "reconnect.backoff.ms",
            "request.timeout.ms",
            "retry.backoff.max.ms",
            "retry.backoff.ms",
            "security.protocol",
            "security.providers",
            "send.buffer.bytes",
            "socket.connection.setup.timeout.max.ms",
            "socket.connection.setup.timeout.ms");
    Set<String> unknown = new TreeSet<>(ConsumerConfig.configNames());
    unknown.addAll(ProducerConfig.configNames());
    assertTrue(unknown.containsAll(asked));
    assertTrue(unknown.containsAll(KafkaProperties.OFFICIAL_ONLY));
    unknown.removeAll(KafkaProperties.OWNED.keySet());
    unknown.removeAll(asked);
    unknown.removeAll(KafkaProperties.OFFICIAL_ONLY);
    unknown.removeIf(name -> name.matches("(ssl|sasl|internal)[.].*"));
    assertEquals(Set.of(), unknown);
  }

  @Test
  void whatHasNoEffectIsNamed() {
    Map<String, String> properties =
        Map.of("linger.ms", "5", "client.rack", "a", "fetch.min.bytes", "9");
    assertEquals(
        List.of("client.rack", "linger.ms"),
        KafkaProperties.withoutEffect(DataPlane.DIRECT, properties));
    assertEquals(List.of(), KafkaProperties.withoutEffect(DataPlane.OFFICIAL, properties));
  }
}
