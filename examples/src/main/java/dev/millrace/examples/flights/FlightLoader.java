package dev.millrace.examples.flights;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Writes the flights to their topic with an ordinary producer: keyed by carrier, in order of event
/// time, in one transaction, so that either all of them are there or none.
public final class FlightLoader {
  private static final int PARTITIONS = 4;

  private final String bootstrap;

  public FlightLoader(String bootstrap) {
    this.bootstrap = bootstrap;
  }

  /// Writes the flights unless they are there already.
  ///
  /// @param progress is told how many are written
  /// @return whether they were not there yet
  @SuppressWarnings("FutureReturnValueIgnored") // the commit fails if a send did
  public boolean load(List<Flight> flights, LongConsumer progress)
      throws ExecutionException, InterruptedException {
    createTopics();
    try (KafkaProducer<String, byte[]> producer = producer()) {
      // Ends what a killed loader has left open.
      producer.initTransactions();
      if (loaded()) {
        return false;
      }
      producer.beginTransaction();
      Serde<Flight> serde = Json.json(Flight.class);
      BytesWriter out = new BytesWriter();
      long written = 0;
      for (Flight flight : flights) {
        serde.write(flight, out.clear());
        // A send that fails makes the commit fail.
        var _ =
            producer.send(
                new ProducerRecord<>(
                    DelayedFlights.FLIGHTS,
                    null,
                    flight.scheduled().toEpochMilli(),
                    flight.carrier(),
                    out.toByteArray()));
        if (++written % 10_000 == 0) {
          progress.accept(written);
        }
      }
      // Left to the commit alone, kafka-clients 4.3.1 may leave out the last batch.
      producer.flush();
      producer.commitTransaction();
      progress.accept(written);
      return true;
    }
  }

  /// Makes the topics whose records are as old as the flights, and would soon be deleted because of
  /// it.
  private void createTopics() throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap))) {
      Set<String> existing = admin.listTopics().names().get();
      List<NewTopic> missing =
          Stream.of(
                  topic(DelayedFlights.FLIGHTS, PARTITIONS),
                  topic(DelayedFlights.DELAYED_AIRPORTS, 1))
              .filter(topic -> !existing.contains(topic.name()))
              .toList();
      admin.createTopics(missing).all().get();
    }
  }

  private static NewTopic topic(String name, int partitions) {
    return new NewTopic(name, Optional.of(partitions), Optional.empty())
        .configs(Map.of("retention.ms", "-1"));
  }

  private KafkaProducer<String, byte[]> producer() {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "transactional.id",
            "flight-loader",
            // All flights are one transaction, however slow the machine is.
            "transaction.timeout.ms",
            600_000,
            "linger.ms",
            20,
            "batch.size",
            256 << 10),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  /// Whether the topic holds a committed record, and so all of them.
  private boolean loaded() {
    try (TopicReader reader = new TopicReader(bootstrap, DelayedFlights.FLIGHTS)) {
      return reader.next().isPresent();
    }
  }
}
