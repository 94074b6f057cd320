package dev.millrace.testkit.job;

import static dev.millrace.api.With.table;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Headers;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.InputRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A serde whose values are partly in the headers of a topic's records.
class HeadersOfSerdesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String UNIT = "unit";
  private static final String TRACE = "trace";

  /// An amount of something.
  record Amount(String unit, long number) {}

  /// In a topic the unit is a header; elsewhere it stands before the number.
  private static final class Amounts implements Serde<Amount> {
    @Override
    public String id() {
      return "amounts";
    }

    @Override
    public void write(Amount value, BytesWriter out) {
      out.write(bytes(value.unit + ":" + value.number));
    }

    @Override
    public Amount read(Bytes in) {
      String[] parts = in.toUtf8().split(":");
      return new Amount(parts[0], Long.parseLong(parts[1]));
    }

    @Override
    public boolean usesHeaders() {
      return true;
    }

    @Override
    public void write(Amount value, RecordHeaders headers, BytesWriter out) {
      headers.remove(UNIT);
      headers.add(UNIT, bytes(value.unit));
      out.write(bytes(Long.toString(value.number)));
    }

    @Override
    public Amount read(Bytes in, RecordHeaders headers) {
      byte[] unit = headers.last(UNIT);
      if (unit == null) {
        throw new SerdeException("The amount has no unit.");
      }
      return new Amount(new String(unit, StandardCharsets.UTF_8), Long.parseLong(in.toUtf8()));
    }
  }

  /// One for all topics, so that their bytes could be copied wherever that is wrong.
  private static final Amounts AMOUNTS = new Amounts();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static KafkaKeyedSource<String, Amount> amountSource(String topic) {
    return Kafka.source(topic).key(Serdes.string()).value(AMOUNTS);
  }

  private static KafkaKeyedSink<String, Amount> amountSink(String topic) {
    return Kafka.sink(topic).key(Serdes.string()).value(AMOUNTS);
  }

  private static final class Application implements StreamApplication {
    @Override
    public String name() {
      return "headers";
    }

    @Override
    public void describe(Topology topology) {
      var in = topology.from(amountSource("in"));
      in.to(amountSink("copy"));
      in.filter(value -> value.number % 2 == 0).to(amountSink("even"));
      in.to(
          amountSink("set")
              .headers((record, headers) -> {
                headers.clear();
                headers.add(TRACE, bytes("t" + record.value().number));
              }));
      in.mapValues(value -> new Amount("half " + value.unit, value.number))
          .as(AMOUNTS)
          .to(amountSink("half"));
      in.repartition("again").to(amountSink("again"));
      in.groupBy("by-unit", value -> value.unit)
          .reduce("largest", (a, b) -> a.number > b.number ? a : b)
          .toStream()
          .to(amountSink("largest"));
      in.groupByKey()
          .window(Windows.tumbling(Duration.ofSeconds(4)))
          .reduce("sums", (a, b) -> new Amount(a.unit + b.unit, a.number + b.number))
          .results(result -> result.value())
          .as(AMOUNTS)
          .to(amountSink("sums").withRetractions());
      var table = topology.table("prices", amountSource("table"));
      in.mapValues(value -> "" + value.number)
          .join("priced", table(table), (value, price) -> new Amount(price.unit, price.number))
          .as(AMOUNTS)
          .to(amountSink("priced"));
    }
  }

  private record Sent(String key, Amount value, int second) {
    static Sent of(int number) {
      // the last is late
      return new Sent(
          "k" + number % 3, new Amount("u" + number % 4, number), number == 15 ? 6 : number);
    }
  }

  private static final List<Sent> SENT = new ArrayList<>();

  static {
    for (int i = 0; i < 16; i++) {
      SENT.add(Sent.of(i));
    }
  }

  private static void send(TestJob job) {
    for (int i = 0; i < 3; i++) {
      job.input("table").at(START).send("k" + i, new Amount("CHF", i));
    }
    job.input("table").end();
    int partitions = job.partitions("in");
    for (Sent each : SENT) {
      BytesWriter headers = new BytesWriter();
      Headers.begin(2, headers);
      Headers.write(TRACE, bytes("t" + each.value.number), headers);
      Headers.write(UNIT, bytes(each.value.unit), headers);
      Bytes key = Bytes.ofUtf8(each.key);
      job.send(
          new InputRecord(
              new Split("in", Partitioner.partition(key, partitions)),
              START.plusSeconds(each.second).toEpochMilli(),
              key,
              Bytes.ofUtf8("" + each.value.number),
              Bytes.of(headers.toByteArray())));
    }
    job.input("in").end();
  }

  /// The values with all their headers.
  private static List<String> raw(TestJob job, String topic) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < job.partitions(topic); i++) {
      for (ModelRecord record : job.written(new Split(topic, i))) {
        Map<String, String> headers = new TreeMap<>();
        record
            .headers()
            .forEach(header -> headers.merge(header.name(), header.value() + "", (a, b) -> a + b));
        lines.add(record.keyText() + "=" + record.valueText() + headers);
      }
    }
    return lines.stream().sorted().toList();
  }

  private static String line(Sent each, String unit) {
    Map<String, String> headers = new TreeMap<>();
    headers.put(TRACE, Bytes.ofUtf8("t" + each.value.number).toString());
    headers.put(UNIT, Bytes.ofUtf8(unit).toString());
    return each.key + "=" + each.value.number + headers;
  }

  private static void check(TestJob job) {
    List<String> all = SENT.stream().map(each -> line(each, each.value.unit)).sorted().toList();
    assertEquals(all, raw(job, "copy"));
    assertEquals(all, raw(job, "again"));
    assertEquals(all, raw(job, "set"));
    assertEquals(
        SENT.stream()
            .filter(each -> each.value.number % 2 == 0)
            .map(each -> line(each, each.value.unit))
            .sorted()
            .toList(),
        raw(job, "even"));
    assertEquals(
        SENT.stream().map(each -> line(each, "half " + each.value.unit)).sorted().toList(),
        raw(job, "half"));
    for (int i = 0; i < 4; i++) {
      job.output("largest").hasLatest("u" + i, new Amount("u" + i, 12 + i));
    }
    Map<String, Long> sums = new TreeMap<>();
    SENT.forEach(each -> sums.merge(each.key + each.second / 4, each.value.number, Long::sum));
    assertEquals(
        sums.values().stream().sorted().toList(),
        job.output("sums").values().stream()
            .map(value -> ((Amount) value).number)
            .sorted()
            .toList());
    assertEquals(
        SENT.stream().map(each -> "CHF" + each.key.substring(1)).sorted().toList(),
        job.output("priced").values().stream()
            .map(value -> ((Amount) value).unit + ((Amount) value).number)
            .sorted()
            .toList());
  }

  @Test
  void areThoseOfWhatIsTakenBackAsWell() {
    try (TestJob job =
        TestJob.of(new Application()).shaped(Shape.standard().withPartitions(1).withBatch(1))) {
      send(job);
      var takenBack = job.output("sums").records().stream().filter(TestRecord::retraction).toList();
      assertEquals(1, takenBack.size());
      assertEquals(new Amount("u2", 6), takenBack.getFirst().value());
    }
  }

  @Test
  void areReadFromTopicsAndWrittenToThem() {
    Harsh.of(new Application(), HeadersOfSerdesTest::send)
        .then(HeadersOfSerdesTest::check)
        .onlyLatest()
        .check();
  }
}
