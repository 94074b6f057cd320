package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.job.EachOperator.Form;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Bytes that are read are those of their record, however long an operator keeps them.
class ViewsTest {
  private static final int RECORDS = 14;
  private static final Form<String> TEXTS =
      new Form<>(Serdes.string(), text -> text, text -> text, text -> text);
  private static final Form<Bytes> VIEWS = bytes(Serdes.view(), Bytes::copy);
  private static final Form<Bytes> COPIES =
      bytes(Kafka.source("any").bytes().valueSerde(), bytes -> bytes);

  private static Form<Bytes> bytes(Serde<Bytes> serde, Mapper<Bytes, Bytes> own) {
    return new Form<>(serde, Bytes::ofUtf8, Bytes::toUtf8, own);
  }

  /// One batch, as it came in from a user.
  private record Apart() implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var in = topology.from(Kafka.source("in").bytes());
      in.branch(value -> value.length() > 2).matching().to(Kafka.sink("long").bytes());
      in.records()
          .map(record -> record.value().toUtf8())
          .to(Kafka.sink("all").value(Serdes.string()));
    }

    @Override
    public String name() {
      return "apart";
    }
  }

  /// The same on Kafka is in `BytesOnKafkaTest`.
  @Test
  void theValuesOfABatchAreThoseOfTheirRecords() {
    try (TestJob job = TestJob.of(new Apart()).partitions(1)) {
      var in = job.input("in");
      IntStream.range(0, RECORDS).forEach(i -> in.send(Bytes.ofUtf8("v" + i)));
      job.process();
      assertEquals(
          List.of("v10", "v11", "v12", "v13"),
          job.output("long").values().stream().map(value -> ((Bytes) value).toUtf8()).toList());
      assertEquals(
          IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).toList(), job.output("all").values());
    }
  }

  static Stream<String> operators() {
    return new EachOperator<>(TEXTS, TEXTS).all().keySet().stream();
  }

  /// A text is no view, so that it shows what is right.
  @ParameterizedTest
  @MethodSource("operators")
  void anOperatorDoesWithBytesWhatItDoesWithTexts(String operator) {
    for (int batch : new int[] {1, 3, RECORDS}) {
      Shape shape = Shape.standard().withPartitions(1).withBatch(batch);
      List<String> expected = run(new EachOperator<>(TEXTS, TEXTS), operator, shape);
      assertFalse(expected.isEmpty(), "It writes nothing.");
      assertEquals(expected, run(new EachOperator<>(TEXTS, VIEWS), operator, shape), "views");
      assertEquals(expected, run(new EachOperator<>(VIEWS, VIEWS), operator, shape), "keys, too");
      assertEquals(expected, run(new EachOperator<>(COPIES, COPIES), operator, shape), "copies");
    }
  }

  private static <K extends Comparable<K>, V extends Comparable<V>> List<String> run(
      EachOperator<K, V> each, String operator, Shape shape) {
    try (TestJob job = TestJob.of(each.application(operator)).shaped(shape)) {
      Feed.withALateOne().send(job);
      job.process();
      return Feed.written(job);
    }
  }
}
