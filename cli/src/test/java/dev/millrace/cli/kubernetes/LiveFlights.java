package dev.millrace.cli.kubernetes;

import dev.millrace.Millrace;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.examples.flights.DelayedFlights;
import dev.millrace.examples.flights.Flight;
import dev.millrace.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Writes flights, some hundreds a second, until it is closed. As a main class it is the
/// application that reads them.
public final class LiveFlights implements AutoCloseable {
  private static final int AT_ONCE = 20;
  private static final Duration PAUSE = Duration.ofMillis(100);

  /// So much later than the last flight that all hours are over.
  private static final Duration LATER = Duration.ofDays(3);

  private final List<Flight> flights;
  private final String bootstrap;
  private final Thread thread = new Thread(this::write, "flights");
  private volatile boolean closed;
  private volatile int written;
  private volatile Exception failure;

  LiveFlights(List<Flight> flights, String bootstrap) {
    this.flights = flights;
    this.bootstrap = bootstrap;
    thread.start();
  }

  public static void main(String[] args) {
    Millrace.run(DelayedFlights.live(), args);
  }

  private void write() {
    Serde<Flight> serde = Json.json(Flight.class);
    BytesWriter out = new BytesWriter();
    Map<Integer, String> carriers = new TreeMap<>();
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            new StringSerializer(),
            new ByteArraySerializer())) {
      Instant last = Instant.EPOCH;
      for (int at = 0; !closed && at < flights.size(); at += AT_ONCE) {
        int end = Math.min(at + AT_ONCE, flights.size());
        for (Flight flight : flights.subList(at, end)) {
          last = flight.scheduled();
          carriers.put(send(producer, serde, out, flight).get().partition(), flight.carrier());
        }
        written = end;
        Thread.sleep(PAUSE);
      }
      // One that never left in each partition: it counts nowhere, but is later.
      for (String carrier : carriers.values()) {
        Flight later = new Flight(last.plus(LATER), carrier, 1, "JFK", "LAX", null, null);
        send(producer, serde, out, later).get();
      }
    } catch (InterruptedException | ExecutionException | RuntimeException e) {
      failure = e;
    }
  }

  private static Future<RecordMetadata> send(
      KafkaProducer<String, byte[]> producer, Serde<Flight> serde, BytesWriter out, Flight flight) {
    serde.write(flight, out.clear());
    return producer.send(
        new ProducerRecord<>(
            DelayedFlights.FLIGHTS,
            null,
            flight.scheduled().toEpochMilli(),
            flight.carrier(),
            out.toByteArray()));
  }

  /// Returns those that were written; behind [#close].
  List<Flight> written() {
    return flights.subList(0, written);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
    if (failure != null) {
      throw new AssertionError("The flights cannot be written.", failure);
    }
    if (written == flights.size()) {
      throw new AssertionError("There were too few flights for so long a test.");
    }
  }
}
