package dev.millrace.kafka.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafkaException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metadata.UnregisterBrokerRecord;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BrokerFailureTest {
  @TempDir Path directory;

  @Test
  void lostDiskIsReportedAndDoesNotHaltTheProcess() throws Exception {
    var reported = new CompletableFuture<EmbeddedKafkaException>();
    try (EmbeddedKafka kafka =
        EmbeddedKafka.builder(directory).onFailure(reported::complete).start()) {
      KafkaClients.createTopic(kafka.bootstrapServers(), "before");
      Path logDirectory = directory.resolve("kafka");
      Files.move(logDirectory, directory.resolve("lost"));
      Files.writeString(logDirectory, "no directory");
      KafkaClients.createTopic(kafka.bootstrapServers(), "after");

      EmbeddedKafkaException failure = reported.get(20, TimeUnit.SECONDS);
      assertEquals(Kind.BROKER_FAILED, failure.kind());
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains(directory.toRealPath().toString()), message);
      assertSame(failure, kafka.failure().orElseThrow());
    }
    DataDirectory.open(directory).close();
  }

  @Test
  void impossibleMetadataFailsTheStartInsteadOfHangingIt() throws Exception {
    EmbeddedKafka.builder(directory).start().close();
    Path log = directory.resolve("kafka/__cluster_metadata-0/00000000000000000000.log");
    appendRecordOfUnknownBroker(log);

    EmbeddedKafkaException failure =
        assertTimeoutPreemptively(
            Duration.ofSeconds(30),
            () ->
                assertThrows(
                    EmbeddedKafkaException.class, () -> EmbeddedKafka.builder(directory).start()));
    assertEquals(Kind.BROKER_FAILED, failure.kind());
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("UnregisterBrokerRecord"), message);
    DataDirectory.open(directory).close();
  }

  @Test
  void closeWorksForAnInterruptedCaller() throws Exception {
    EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start();
    Thread.currentThread().interrupt();
    kafka.close();
    assertTrue(Thread.interrupted(), "the caller is still interrupted");
    try (DataDirectory free = DataDirectory.open(directory)) {
      assertTrue(free.wasClosedCleanly());
    }
  }

  @Test
  void startThatIsInterruptedLeavesNothingLocked() throws Exception {
    Thread.currentThread().interrupt();
    assertThrows(EmbeddedKafkaException.class, () -> EmbeddedKafka.builder(directory).start());
    assertTrue(Thread.interrupted(), "the caller is still interrupted");
    EmbeddedKafka.builder(directory).start().close();
  }

  /// Appends a record that is well formed but cannot be true, so that only the controller's own
  /// thread finds it, while the broker waits for the controller.
  private static void appendRecordOfUnknownBroker(Path log) throws IOException {
    var impossible =
        new ApiMessageAndVersion(
            new UnregisterBrokerRecord().setBrokerId(99).setBrokerEpoch(1), (short) 0);
    var cache = new ObjectSerializationCache();
    ByteBuffer value =
        ByteBuffer.allocate(MetadataRecordSerde.INSTANCE.recordSize(impossible, cache));
    MetadataRecordSerde.INSTANCE.write(impossible, cache, new ByteBufferAccessor(value));

    ByteBuffer written = ByteBuffer.wrap(Files.readAllBytes(log));
    RecordBatch last = null;
    for (RecordBatch batch : MemoryRecords.readableRecords(written).batches()) {
      last = batch;
    }
    assertNotNull(last);
    MemoryRecords appended =
        MemoryRecords.withRecords(
            last.nextOffset(),
            Compression.NONE,
            last.partitionLeaderEpoch(),
            new SimpleRecord(value.array()));
    Files.write(log, Utils.toArray(appended.buffer()), StandardOpenOption.APPEND);
  }
}
