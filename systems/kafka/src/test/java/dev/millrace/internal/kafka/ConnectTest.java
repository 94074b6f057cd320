package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectTest {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// Far less than the minute that Kafka's clients wait by themselves, however slow the machine is.
  private static final Duration SOON = Duration.ofSeconds(20);

  private static LogException failure(KafkaLogSettings settings) {
    return assertThrows(LogException.class, () -> KafkaLog.connect(settings).close());
  }

  private static KafkaLogSettings settings(String servers) {
    return KafkaLogSettings.of(servers, "connect-test").withPatience(PATIENCE);
  }

  private static void assertMessage(LogException failure, String... parts) {
    String message = String.valueOf(failure.getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  private static void assertNoThreadIsLeft() {
    LogBench.await(
        "no thread is left",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().contains("connect-test")));
  }

  @Test
  void anAddressWhereNobodyListensIsNamedSoonAndLeavesNothing() throws IOException {
    // The port is nobody else's while this is bound to it.
    try (Socket deaf = new Socket()) {
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      long start = System.nanoTime();
      LogException failure = failure(settings("127.0.0.1:" + deaf.getLocalPort()));
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      assertEquals(Kind.UNAVAILABLE, failure.kind());
      assertMessage(
          failure,
          "No Kafka broker answers at 127.0.0.1:" + deaf.getLocalPort() + " (Connection refused)",
          "correct the bootstrap address");
      assertTrue(took.compareTo(SOON) < 0, took::toString);
    }
    assertNoThreadIsLeft();
  }

  @Test
  void aHostThatIsNotKnownIsNamedBesideTheOthers() throws IOException {
    try (Socket deaf = new Socket()) {
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      // The system looks for the host as long as it likes.
      LogException failure =
          failure(settings("127.0.0.1:" + deaf.getLocalPort() + ", no-such-host.invalid:9092"));
      assertEquals(Kind.UNAVAILABLE, failure.kind());
      assertMessage(
          failure,
          "127.0.0.1:" + deaf.getLocalPort() + " (Connection refused)",
          "no-such-host.invalid:9092 (the host is not known)");
    }
    assertNoThreadIsLeft();
  }

  @Test
  void somethingThatListensAndIsNoBrokerIsNamedSoonAndLeavesNothing() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long start = System.nanoTime();
      LogException failure = failure(settings("127.0.0.1:" + silent.getLocalPort()));
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      assertEquals(Kind.UNAVAILABLE, failure.kind());
      assertMessage(
          failure, "A process listens at 127.0.0.1:" + silent.getLocalPort(), "security.protocol");
      assertTrue(took.compareTo(SOON) < 0, took::toString);
    }
    assertNoThreadIsLeft();
  }

  @Test
  void patienceFollowsTheTimeoutOfTheUser() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      LogException failure =
          failure(
              settings("127.0.0.1:" + silent.getLocalPort())
                  .withProperties(Map.of("default.api.timeout.ms", "3000")));
      assertEquals(Kind.UNAVAILABLE, failure.kind());
      assertMessage(failure, "within 3 s");
    }
  }

  @Test
  void aShortTimeoutOfCallsAloneIsTaken() {
    KafkaLogSettings settings =
        settings(SharedEmbeddedKafka.bootstrapServers())
            .withPatience(Duration.ofSeconds(10))
            .withProperties(Map.of("default.api.timeout.ms", "9000"));
    try (KafkaLog log = KafkaLog.connect(settings)) {
      assertEquals(SharedEmbeddedKafka.kafka().clusterId(), log.clusterId());
    }
  }

  @Test
  void aTextThatIsNoAddressIsRefused() {
    for (String text :
        new String[] {"localhost", "localhost:", ":9092", "localhost:99999", "a:b:c"}) {
      LogException failure = failure(settings(text));
      assertEquals(Kind.REFUSED, failure.kind());
      assertMessage(failure, "'" + text + "'", "host:9092");
    }
    assertEquals(Kind.REFUSED, failure(settings(" , ")).kind());
  }

  @Test
  void aWrongPropertyIsRefusedBeforeAnythingElse() {
    LogException failure =
        failure(
            settings("nowhere.invalid:1").withProperties(Map.of("linger.mss", "1", "acks", "1")));
    assertEquals(Kind.REFUSED, failure.kind());
    assertMessage(failure, "linger.ms", "'acks' cannot be set");
  }

  @Test
  void aNewClusterKeepsAllThatIsPromised() {
    try (KafkaLog log = KafkaLog.connect(settings(SharedEmbeddedKafka.bootstrapServers()))) {
      assertEquals("", log.weakness());
      assertEquals(SharedEmbeddedKafka.kafka().clusterId(), log.clusterId());
    }
  }

  @Test
  void propertiesThatTheClientDoesNotTakeTogetherAreRefused() {
    KafkaLogSettings settings =
        settings(SharedEmbeddedKafka.bootstrapServers())
            .withDataPlane(DataPlane.OFFICIAL)
            .withProperties(Map.of("delivery.timeout.ms", "4000", "request.timeout.ms", "8000"));
    try (KafkaLog log = KafkaLog.connect(settings)) {
      try (var writer = log.writer("any", Duration.ofSeconds(10))) {
        LogException failure = assertThrows(LogException.class, writer::open);
        assertEquals(Kind.REFUSED, failure.kind());
        assertMessage(failure, "delivery.timeout.ms");
      }
    }
  }
}
