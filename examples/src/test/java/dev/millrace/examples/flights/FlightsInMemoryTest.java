package dev.millrace.examples.flights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.Job;
import dev.millrace.JobState;
import dev.millrace.LocalLog;
import dev.millrace.LocalTopic;
import dev.millrace.Millrace;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.JobConfig;
import dev.millrace.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The flights of a year without Kafka, with several workers, compared with plain Java.
class FlightsInMemoryTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"topics", "direct"})
  void everyRowIsThereOnce(String exchanges) throws InterruptedException {
    List<Flight> flights = FlightFile.read();
    try (LocalLog log = new LocalLog()) {
      log.createTopic(DelayedFlights.FLIGHTS, 4);
      log.topic(DelayedFlights.FLIGHTS, Serdes.string(), Json.json(Flight.class))
          .sendAll(flights, Flight::carrier, Flight::scheduled);
      JobConfig config =
          new ConfigLoader(directory, Map.of())
              .load(List.of("--log=memory", "--workers=3", "--placement.exchanges=" + exchanges))
              .job();
      try (Job job = Millrace.local(new DelayedFlights(), log, config)) {
        assertTrue(job.await(Duration.ofMinutes(5)));
        assertNull(job.failure(), () -> String.valueOf(job.failure()));
        assertEquals(JobState.COMPLETED, job.state());
      }
      LocalTopic<String, DelayedAirport> airports =
          log.topic(
              DelayedFlights.DELAYED_AIRPORTS, Serdes.string(), Json.json(DelayedAirport.class));
      LocalTopic<String, CarrierDelay> carriers =
          log.topic(DelayedFlights.CARRIER_DELAYS, Serdes.string(), Json.json(CarrierDelay.class));
      FlightCheck.Result result =
          new FlightCheck(flights).compare(airports.values(), carriers.latest());
      assertEquals(List.of(), result.differences().stream().limit(10).toList());
      assertTrue(result.rows() > 10_000, result.rows() + " rows");
    }
  }
}
