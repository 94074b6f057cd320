package dev.millrace.kafka.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafkaException.Kind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedKafkaTest {
  private static final int CONNECT_MILLIS = 1_000;
  private static final int ANSWER_MILLIS = 5_000;

  @TempDir Path directory;

  @Test
  void ordinaryClientsProduceConsumeAndCommitTransactions() throws Exception {
    long start = System.nanoTime();
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start()) {
      System.out.printf(
          "Embedded broker ready in %d ms.%n",
          Duration.ofNanos(System.nanoTime() - start).toMillis());
      assertTrue(kafka.isNew());
      String servers = kafka.bootstrapServers();
      KafkaClients.createTopic(servers, "words");
      KafkaClients.send(servers, "words", "plain");
      try (Producer<String, String> producer =
          KafkaClients.producer(servers, Map.of("transactional.id", "writer"))) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("words", "aborted")).get();
        producer.abortTransaction();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("words", "committed")).get();
        producer.commitTransaction();
      }
      assertEquals(List.of("plain", "committed"), KafkaClients.values(servers, "words", 2));
    }
  }

  @Test
  void newClusterHasTransactionsOfVersionTwoAndOneAdvertisedNode() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start();
        Admin admin = KafkaClients.admin(kafka.bootstrapServers())) {
      short level =
          admin
              .describeFeatures()
              .featureMetadata()
              .get()
              .finalizedFeatures()
              .get("transaction.version")
              .maxVersionLevel();
      assertTrue(level >= 2, "transaction.version is " + level);
      List<String> nodes =
          admin.describeCluster().nodes().get().stream().map(EmbeddedKafkaTest::address).toList();
      assertEquals(List.of(kafka.bootstrapServers()), nodes);
      assertEquals(kafka.clusterId(), admin.describeCluster().clusterId().get());
    }
  }

  @Test
  void restartOnTheSameDirectoryKeepsDataAndClusterIdOnAnotherPort() throws Exception {
    String clusterId;
    String servers;
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start()) {
      clusterId = kafka.clusterId();
      servers = kafka.bootstrapServers();
      KafkaClients.createTopic(servers, "kept");
      KafkaClients.send(servers, "kept", "first");
    }
    try (ServerSocket blocker = holdOrLeave(portOf(servers));
        EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start()) {
      assertTrue(
          blocker == null || !servers.equals(kafka.bootstrapServers()),
          () -> blocker + " holds the port");
      assertFalse(kafka.isNew());
      assertEquals(clusterId, kafka.clusterId());
      KafkaClients.send(kafka.bootstrapServers(), "kept", "second");
      assertEquals(
          List.of("first", "second"), KafkaClients.values(kafka.bootstrapServers(), "kept", 2));
    }
  }

  @Test
  void secondBrokerOnADirectoryIsRefusedAndTheFirstGoesOn() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start()) {
      Path sameDirectory = directory.resolve("kafka").resolve("..");
      EmbeddedKafkaException refusal =
          assertThrows(
              EmbeddedKafkaException.class, () -> EmbeddedKafka.builder(sameDirectory).start());
      assertEquals(Kind.DIRECTORY_IN_USE, refusal.kind());
      assertMentions(refusal, directory.toRealPath());
      assertMentions(refusal, ProcessHandle.current().pid());
      KafkaClients.createTopic(kafka.bootstrapServers(), "alive");
    }
  }

  @Test
  void portInUseIsRefusedAndTheDirectoryIsFreeAfterwards() throws Exception {
    try (ServerSocket taken = listenOn(0)) {
      EmbeddedKafkaException refusal =
          assertThrows(
              EmbeddedKafkaException.class,
              () -> EmbeddedKafka.builder(directory).port(taken.getLocalPort()).start());
      assertEquals(Kind.PORT_IN_USE, refusal.kind());
      assertMentions(refusal, taken.getLocalPort());
    }
    DataDirectory.open(directory).close();
  }

  @Test
  void startThatFailsNamesTheReasonAndLeavesNothingBehind() throws Exception {
    Set<String> before = threadNames();
    EmbeddedKafka.Builder wrong =
        EmbeddedKafka.builder(directory).property("log.cleaner.dedupe.buffer.size", "1");
    EmbeddedKafkaException failure = assertThrows(EmbeddedKafkaException.class, wrong::start);
    assertEquals(Kind.BROKER_FAILED, failure.kind());
    assertMentions(failure, directory.toRealPath());
    assertMentions(failure, "log.cleaner.dedupe.buffer.size");
    awaitNoOtherThreadsThan(before);
    EmbeddedKafka.builder(directory).start().close();
  }

  @Test
  void closeLeavesNoThreadsPortsOrMetricsAndIsIdempotent() throws Exception {
    Set<String> before = threadNames();
    EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start();
    KafkaClients.createTopic(kafka.bootstrapServers(), "used");
    KafkaClients.send(kafka.bootstrapServers(), "used", "value");
    assertTrue(brokerMetrics() > 0);
    kafka.close();
    kafka.close();
    awaitNoOtherThreadsThan(before);
    assertEquals(0, brokerMetrics());
    assertIsNotAt(InetAddress.ofLiteral("127.0.0.1"), kafka);
  }

  @Test
  void listensOnTheLoopbackAddressOnly() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start()) {
      int port = portOf(kafka.bootstrapServers());
      connect(InetAddress.ofLiteral("127.0.0.1"), port);
      List<InetAddress> others =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .filter(address -> !address.isLoopbackAddress())
              .toList();
      for (InetAddress other : others) {
        assertIsNotAt(other, kafka);
      }
      assertIsNotAt(InetAddress.ofLiteral("127.0.0.2"), kafka);
    }
  }

  @Test
  void dataDirectoryIsPrivateToItsOwner() throws IOException {
    Path created = directory.resolve("a").resolve("b");
    DataDirectory.open(created).close();
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(created)));
  }

  @Test
  void dataWithoutTheNameOfItsClusterIsNotOverwritten() throws IOException {
    Files.createDirectories(directory.resolve("kafka").resolve("orders-0"));
    EmbeddedKafkaException refusal =
        assertThrows(EmbeddedKafkaException.class, () -> EmbeddedKafka.builder(directory).start());
    assertEquals(Kind.DIRECTORY_UNUSABLE, refusal.kind());
    assertMentions(refusal, "meta.properties");
    assertTrue(Files.exists(directory.resolve("kafka").resolve("orders-0")));
  }

  @Test
  void propertiesThatDoNotExistOrAreFixedAreRefused() {
    EmbeddedKafka.Builder builder = EmbeddedKafka.builder(directory);
    assertThrows(IllegalArgumentException.class, () -> builder.property("num.io.thread", "1"));
    assertThrows(
        IllegalArgumentException.class,
        () -> builder.property("listeners", "PLAINTEXT://0.0.0.0:9092"));
    assertThrows(IllegalArgumentException.class, () -> builder.port(65_536));
  }

  private static void assertMentions(EmbeddedKafkaException exception, Object expected) {
    String message = String.valueOf(exception.getMessage());
    assertTrue(message.contains(expected.toString()), message);
  }

  private static String address(Node node) {
    return node.host() + ":" + node.port();
  }

  private static int portOf(String servers) {
    return Integer.parseInt(servers.substring(servers.indexOf(':') + 1));
  }

  private static ServerSocket listenOn(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"));
  }

  /// @return null if somebody else got the port
  private static ServerSocket holdOrLeave(int port) throws IOException {
    try {
      return listenOn(port);
    } catch (BindException _) {
      return null;
    }
  }

  /// Nobody is at that address and the broker's port, or somebody else is.
  private static void assertIsNotAt(InetAddress address, EmbeddedKafka kafka) throws Exception {
    int port = portOf(kafka.bootstrapServers());
    try {
      connect(address, port);
    } catch (ConnectException _) {
      return;
    }
    String text = address.getHostAddress();
    String host = text.contains(":") ? "[" + text + "]" : text;
    DescribeClusterOptions soon = new DescribeClusterOptions().timeoutMs(ANSWER_MILLIS);
    try (Admin admin = KafkaClients.admin(host + ":" + port)) {
      assertNotEquals(kafka.clusterId(), admin.describeCluster(soon).clusterId().get());
    } catch (ExecutionException e) {
      assertInstanceOf(TimeoutException.class, e.getCause(), "That is no broker.");
    }
  }

  private static void connect(InetAddress address, int port) throws IOException {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
    }
  }

  private static int brokerMetrics() throws MalformedObjectNameException {
    // What Kafka registers once a process and for all is no broker's metric.
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("kafka.*:*"), null)
        .size();
  }

  private static Set<String> threadNames() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        // Two daemon threads of the metrics library belong to the process, not to a broker.
        .filter(name -> !name.startsWith("metrics-meter-tick-thread-"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void awaitNoOtherThreadsThan(Set<String> before) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    Set<String> left;
    do {
      left = threadNames();
      left.removeAll(before);
      Thread.sleep(20);
    } while (!left.isEmpty() && System.nanoTime() < deadline);
    assertEquals(Set.of(), left);
  }
}
