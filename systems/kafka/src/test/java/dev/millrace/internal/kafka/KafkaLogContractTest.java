package dev.millrace.internal.kafka;

import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Log;
import dev.millrace.testkit.contract.LogContract;
import dev.millrace.testkit.contract.LogUnderTest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/// Kafka is a log, by requests of our own; a subclass takes the official clients.
class KafkaLogContractTest extends LogContract {
  DataPlane dataPlane() {
    return DataPlane.DIRECT;
  }

  @Override
  protected LogUnderTest subject() {
    return new LogUnderTest() {
      @Override
      public Log connect() {
        return KafkaLog.connect(
            KafkaLogSettings.of(SharedEmbeddedKafka.bootstrapServers(), "contract")
                .withDataPlane(dataPlane()));
      }

      @Override
      public String uniqueName(String hint) {
        return SharedEmbeddedKafka.uniqueName(hint);
      }

      @Override
      public void letTimePass() {
        try {
          Thread.sleep(5);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }

      @Override
      public int patience() {
        return 4_000;
      }

      @Override
      public void deleteTopic(String topic) {
        delete(topic);
      }

      @Override
      public int randomRuns() {
        return 3;
      }
    };
  }

  private static void delete(String topic) {
    try (Admin admin =
        Admin.create(
            Map.of("bootstrap.servers", (Object) SharedEmbeddedKafka.bootstrapServers()))) {
      admin.deleteTopics(List.of(topic)).all().get();
      while (true) {
        admin.describeTopics(List.of(topic)).allTopicNames().get();
        Thread.sleep(5);
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw new AssertionError(e);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
