package dev.millrace.examples.flights;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.kafka.embedded.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the check says of a topic in which something is wrong.
class FlightCheckTest {
  private static final String FIRST = update(1, 5, 5);
  private static final String SECOND = update(2, 12, 7);
  private static final String THIRD = update(3, 13, 7);

  @TempDir private Path directory;

  @Test
  void everyUpdateOfACarrierMustBeThereOnceInOrderAndRight() throws Exception {
    Map<String, List<String>> updates = new TreeMap<>();
    updates.put("right", List.of(FIRST, SECOND, THIRD));
    updates.put("begun late", List.of(SECOND, THIRD));
    updates.put("ended early", List.of(FIRST, SECOND));
    updates.put("gap", List.of(FIRST, THIRD));
    updates.put("too many", List.of(FIRST, SECOND, THIRD, update(4, 14, 7)));
    updates.put("twice", List.of(FIRST, SECOND, SECOND, THIRD));
    updates.put("wrong", List.of(FIRST, update(2, 12, 5), THIRD));
    List<String> expected =
        List.of(
            "carrier begun late has an update after 2 flights behind one after 0, of 3",
            "carrier ended early ends after 2 of 3 flights",
            "carrier gap has an update after 3 flights behind one after 1, of 3",
            "carrier too many has an update after 4 flights behind one after 3, of 3",
            "carrier twice has an update after 2 flights behind one after 2, of 3",
            "carrier wrong after 2 flights: expected 12 and 7, found " + update(2, 12, 5));
    List<Flight> flights =
        updates.keySet().stream().flatMap(FlightCheckTest::threeFlights).toList();
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory).start()) {
      write(kafka.bootstrapServers(), updates);
      FlightCheck.Result result = new FlightCheck(flights).compare(kafka.bootstrapServers());
      assertEquals(expected, result.differences().stream().sorted().toList());
    }
  }

  private static Stream<Flight> threeFlights(String carrier) {
    return Stream.of(5, 7, 1)
        .map(delay -> new Flight(Instant.EPOCH, carrier, 1, "JFK", "BOS", 0, delay));
  }

  private static String update(int flights, int total, int worst) {
    return "{\"flights\":%d,\"totalMinutes\":%d,\"worstMinutes\":%d}"
        .formatted(flights, total, worst);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the end of the producer waits for all
  private static void write(String bootstrap, Map<String, List<String>> updates)
      throws ExecutionException, InterruptedException {
    // A broker that does not know its new topic yet may refuse a batch and take the next one.
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "max.in.flight.requests.per.connection", 1);
    try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap));
        KafkaProducer<String, String> producer =
            new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      admin
          .createTopics(
              Stream.of(DelayedFlights.DELAYED_AIRPORTS, DelayedFlights.CARRIER_DELAYS)
                  .map(topic -> new NewTopic(topic, Optional.of(1), Optional.empty()))
                  .toList())
          .all()
          .get();
      updates.forEach((carrier, values) ->
          values.forEach(value ->
              producer.send(new ProducerRecord<>(DelayedFlights.CARRIER_DELAYS, carrier, value))));
    }
  }
}
