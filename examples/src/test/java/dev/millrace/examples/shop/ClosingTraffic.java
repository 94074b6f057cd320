package dev.millrace.examples.shop;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/// The last records of a test: one for each partition of each topic, so much later than all others
/// that every window of these closes.
public final class ClosingTraffic {
  private ClosingTraffic() {}

  public static List<Traffic.Sent> at(Instant time) {
    List<Traffic.Sent> records = new ArrayList<>();
    for (int partition = 0; partition < ShopTopics.PARTITIONS; partition++) {
      String key = key(partition);
      texts(key, time)
          .forEach((topic, text) -> records.add(new Traffic.Sent(topic, key, text, time, time)));
    }
    return records;
  }

  private static Map<String, String> texts(String key, Instant time) {
    return Map.of(
        "orders",
        """
        {"id":"%1$s","customer":"%1$s","lines":[{"product":"%1$s","quantity":1,"cents":1}],"at":"%2$s"}\
        """
            .formatted(key, time),
        "payments",
        "{\"id\":\"%s\",\"cents\":1,\"at\":\"%s\"}".formatted(key, time),
        "shipments",
        "{\"carrier\":\"none\",\"at\":\"%s\"}".formatted(time),
        "products",
        "{\"name\":\"\",\"category\":\"closing\",\"shelf\":\"\",\"since\":\"%s\"}".formatted(time));
  }

  /// A key that belongs to a partition, as Kafka has it.
  private static String key(int partition) {
    for (int i = 0; ; i++) {
      String key = "closing" + i;
      if (partition(key) == partition) {
        return key;
      }
    }
  }

  static int partition(String key) {
    return BuiltInPartitioner.partitionForKey(
        key.getBytes(StandardCharsets.UTF_8), ShopTopics.PARTITIONS);
  }
}
