package dev.millrace.internal.engine.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Windows;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SerdeDiscoveryTest {
  private static final Serde<Update> UPDATE = TextSerde.named("text:update");
  private static final KafkaSource<Update> UPDATES = Kafka.source("updates").value(UPDATE);
  private static final KafkaKeyedSource<Long, Update> BY_MEMBER =
      Kafka.source("by-member").key(Serdes.longs()).value(UPDATE);

  record Update(String member, List<String> tags) {}

  record Tag(String tag, int weight) {}

  record Total(long count) {}

  static final class Tagger implements Processor<Long, Update, List<String>> {
    @Override
    public void process(Records<Long, Update> records, Output<List<String>> out) {
      while (records.next()) {
        out.emit(records.value().tags());
      }
    }
  }

  private static <V> Sink<Object, V> any() {
    return Kafka.sink("out").value(TextSerde.named("any"));
  }

  private static TopologyGraph graph(StreamApplication application) {
    return TopologyGraph.of(application);
  }

  private static Node.Exchange exchange(StreamApplication application) {
    return graph(application).nodes().stream()
        .filter(Node.Exchange.class::isInstance)
        .map(Node.Exchange.class::cast)
        .toList()
        .getLast();
  }

  private static Serde<?> kept(StreamApplication application) {
    return graph(application).nodes().stream()
        .filter(Node.Stateful.class::isInstance)
        .map(Node.Stateful.class::cast)
        .toList()
        .getLast()
        .declared()
        .stores()
        .getFirst()
        .valueSerde();
  }

  private static void assertRefused(String message, StreamApplication application) {
    assertEquals(
        message,
        assertThrows(InvalidTopologyException.class, () -> TopologyGraph.of(application))
            .getMessage());
  }

  @Test
  void valuesThatAreTheSameKeepTheSerdeOfTheirSource() {
    Node.Exchange exchange =
        exchange(t ->
            t.from(UPDATES)
                .filter(u -> true)
                .peek(u -> {})
                .merge(t.from(UPDATES).filter(u -> true))
                .groupBy("g", Update::member)
                .count("c")
                .toStream()
                .to(any()));
    assertSame(UPDATE, exchange.valueSerde());
    assertEquals("string", exchange.keySerde().id());
  }

  @Test
  void aMergeKnowsWhatEitherSideKnows() {
    assertSame(
        UPDATE,
        exchange(t ->
                t.from(UPDATES)
                    .map(u -> u)
                    .merge(t.from(UPDATES))
                    .groupBy("g", Update::member)
                    .count("c")
                    .toStream()
                    .to(any()))
            .valueSerde());
  }

  @Test
  void aGivenSerdeComesFirst() {
    Serde<Tag> tags = TextSerde.named("text:tag");
    Node.Exchange exchange =
        exchange(t ->
            t.from(UPDATES)
                .map(u -> new Tag(u.member(), 1))
                .as(tags)
                .groupBy("g", Tag::tag)
                .keyAs(Serdes.string())
                .count("c")
                .toStream()
                .to(any()));
    assertSame(tags, exchange.valueSerde());
    assertSame(
        tags,
        kept(t ->
            t.from(BY_MEMBER)
                .mapValues(u -> new Tag(u.member(), 1))
                .as(tags)
                .groupByKey()
                .reduce("r", (a, b) -> b)
                .toStream()
                .to(any())));
    Serde<Total> totals = TextSerde.named("text:total");
    assertSame(
        totals,
        kept(t ->
            t.from(BY_MEMBER)
                .groupByKey()
                .aggregate("a", () -> new Total(0), (a, u) -> a)
                .as(totals)
                .toStream()
                .to(any())));
  }

  @Test
  void typesAreReadFromTheFunctions() {
    Node.Exchange mapped =
        exchange(t ->
            t.from(UPDATES)
                .map(u -> new Tag(u.member(), 1))
                .groupBy("g", tag -> tag)
                .count("c")
                .toStream()
                .to(any()));
    assertEquals(Serdes.record(Tag.class).schema(), mapped.valueSerde().schema());
    assertEquals(Serdes.orderedRecord(Tag.class).schema(), mapped.keySerde().schema());
    Node.Exchange numbered =
        exchange(t ->
            t.from(UPDATES)
                .map(u -> u.tags().size())
                .groupBy("g", n -> n % 2 == 0)
                .count("c")
                .toStream()
                .to(any()));
    assertEquals("int", numbered.valueSerde().id());
    assertEquals("boolean", numbered.keySerde().id());
  }

  @Test
  void theElementsOfAFlatMapAreRead() {
    assertEquals(
        "string",
        exchange(t ->
                t.from(UPDATES)
                    .flatMap(Update::tags)
                    .groupBy("g", String::length)
                    .count("c")
                    .toStream()
                    .to(any()))
            .valueSerde()
            .id());
    // A lambda shows no element type; the key's function does.
    assertEquals(
        "string",
        exchange(t ->
                t.from(UPDATES)
                    .flatMap(u -> u.tags())
                    .groupBy("g", tag -> tag.length())
                    .count("c")
                    .toStream()
                    .to(any()))
            .valueSerde()
            .id());
  }

  @Test
  void whatIsKeptIsFoundTheSameWay() {
    assertEquals(
        "long", kept(t -> t.from(BY_MEMBER).groupByKey().count("c").toStream().to(any())).id());
    assertSame(
        UPDATE,
        kept(t -> t.from(BY_MEMBER).groupByKey().reduce("r", (a, b) -> b).toStream().to(any())));
    assertEquals(
        Serdes.record(Tag.class).id(),
        kept(t ->
                t.from(BY_MEMBER)
                    .mapValues(u -> new Tag(u.member(), 1))
                    .groupByKey()
                    .reduce("r", (a, b) -> b)
                    .toStream()
                    .to(any()))
            .id());
    assertEquals(
        Serdes.record(Total.class).id(),
        kept(t ->
                t.from(BY_MEMBER)
                    .groupByKey()
                    .aggregate("a", () -> new Total(0), (a, u) -> new Total(a.count() + 1))
                    .toStream()
                    .to(any()))
            .id());
  }

  @Test
  void aTableTellsItsSerdeToWhatFollows() {
    Node.Exchange exchange =
        exchange(t ->
            t.from(BY_MEMBER)
                .groupByKey()
                .count("c")
                .toStream()
                .groupBy("g", n -> n)
                .count("d")
                .toStream()
                .to(any()));
    assertEquals("long", exchange.valueSerde().id());
    assertEquals("long", exchange.keySerde().id());
  }

  @Test
  void rankedResultsTravelByTheStartOfTheirWindow() {
    Node.Exchange exchange =
        exchange(t ->
            t.from(UPDATES)
                .groupBy("g", Update::member)
                .window(Windows.tumbling(Duration.ofSeconds(1)))
                .count("c")
                .topK("top", 3, r -> r.key())
                .to(any()));
    assertEquals("top", exchange.name());
    assertEquals("long", exchange.keySerde().id());
    assertEquals("window-result(string,long)", exchange.valueSerde().id());
  }

  @Test
  void resultsThatAreRankedInGroupsTravelByGroup() {
    Node.Exchange exchange =
        exchange(t ->
            t.from(UPDATES)
                .groupBy("g", Update::member)
                .window(Windows.tumbling(Duration.ofSeconds(1)))
                .count("c")
                .topK("top", 3, r -> r.key().length(), r -> r.key())
                .to(any()));
    assertEquals("top", exchange.name());
    assertEquals("int", exchange.keySerde().id());
    assertEquals("window-result(string,long)", exchange.valueSerde().id());
    Node.Exchange given =
        exchange(t -> {
          t.serde(Long.class, Serdes.kafkaLong());
          t.from(UPDATES)
              .groupBy("g", Update::member)
              .window(Windows.tumbling(Duration.ofSeconds(1)))
              .count("c")
              .topK("top", 3, r -> (long) r.key().length(), r -> r.key())
              .as(Serdes.string())
              .to(any());
        });
    assertEquals("kafka-long", given.keySerde().id());
  }

  @Test
  void aProcessorsResultsAreReadFromItsClass() {
    assertEquals(
        Serdes.listOf(Serdes.string()).schema(),
        exchange(t ->
                t.from(BY_MEMBER)
                    .process("p", Tagger::new)
                    .groupBy("g", tags -> tags.size())
                    .count("c")
                    .toStream()
                    .to(any()))
            .valueSerde()
            .schema());
  }

  @Test
  void keysAreTranslatedOnlyForASinkWithOtherBytes() {
    assertNull(output(Serdes.longs()).keySerde());
    Node.Output output = output(Serdes.kafkaLong());
    assertSame(BY_MEMBER.keySerde(), output.keySerde());
  }

  private static Node.Output output(Serde<Long> keys) {
    TopologyGraph graph = graph(t -> t.from(BY_MEMBER).to(Kafka.sink("o").key(keys).value(UPDATE)));
    return (Node.Output) graph.nodes().getLast();
  }

  @Test
  void theValuesOfRecordsHaveTheSerdeThatTheyHadBefore() {
    assertSame(
        UPDATE,
        kept(t ->
            t.from(BY_MEMBER)
                .records()
                .filter(r -> r.timestamp() > 0)
                .mapValues(Record::value)
                .groupByKey()
                .latest("l")
                .toStream()
                .to(any())));
    assertSame(
        UPDATE,
        exchange(t ->
                t.from(UPDATES)
                    .records()
                    .map(Record::value)
                    .groupBy("g", u -> u.member())
                    .count("c")
                    .toStream()
                    .to(any()))
            .valueSerde());
    assertSame(
        UPDATE,
        exchange(t ->
                t.from(BY_MEMBER)
                    .records()
                    .map(Record::value)
                    .groupBy("g", u -> u.member())
                    .count("c")
                    .toStream()
                    .to(any()))
            .valueSerde());
  }

  @Test
  void recordsThatAreFoldedAtOnceNeedNoSerde() {
    assertEquals(
        Serdes.longs().id(),
        kept(t ->
                t.from(BY_MEMBER)
                    .records()
                    .groupByKey()
                    .aggregate("a", () -> 0L, (sum, r) -> sum + r.timestamp())
                    .toStream()
                    .to(any()))
            .id());
    assertRefused(
        "latest 'l' keeps the results of records and finds no serde for them:"
            + " a record is valid only until the next operator returns; nothing else shows them."
            + " Turn each record into a value that stays valid, with mapValues or map.",
        t -> t.from(BY_MEMBER).records().groupByKey().latest("l"));
    assertRefused(
        "repartition 'r' sends the results of records and finds no serde for them:"
            + " a record is valid only until the next operator returns;"
            + " nothing else shows them."
            + " Turn each record into a value that stays valid, with mapValues or map.",
        t -> t.from(BY_MEMBER).records().repartition("r"));
  }

  @Test
  void whatIsFoundNowhereIsAskedForInWords() {
    assertRefused(
        "groupBy 'g' sends the results of map and finds no serde for them:"
            + " the lambda shows only java.util.Map without its type arguments."
            + " Say it with .as(serde) right behind map, or register one for their type with"
            + " topology.serde(type, serde).",
        t ->
            t.from(UPDATES).map(u -> Map.of(u.member(), 1)).groupBy("g", m -> m.size()).count("c"));
    assertRefused(
        "groupBy 'g' groups by keys and finds no serde for them: the lambda shows only"
            + " java.util.List without its type arguments. Say it with .keyAs(serde) right behind"
            + " groupBy 'g', or register one for their type with topology.serde(type, serde).",
        t -> t.from(UPDATES).groupBy("g", u -> u.tags()).count("c"));
    assertRefused(
        "groupBy 'g' sends the results of records and finds no serde for them:"
            + " a record is valid only until the next operator returns;"
            + " the lambda shows only dev.millrace.api.function.Record without its type arguments."
            + " Turn each record into a value that stays valid, with mapValues or map.",
        t -> t.from(UPDATES).records().groupBy("g", r -> r.topic()).count("c"));
    assertRefused(
        "aggregate 'a' keeps the results of aggregate 'a' and finds no serde for them: the lambda"
            + " shows only java.util.ArrayList without its type arguments. Say it with .as(serde)"
            + " right behind aggregate 'a', or register one for their type with"
            + " topology.serde(type, serde).",
        t ->
            t.from(BY_MEMBER)
                .groupByKey()
                .aggregate("a", () -> new ArrayList<String>(), (list, u) -> list));
    assertRefused(
        "groupBy 'g' sends the results of process 'p' and finds no serde for them: the lambda shows"
            + " only dev.millrace.api.Processor without its type arguments; the lambda shows only"
            + " java.util.List without its type arguments. Say it with .as(serde) right behind"
            + " process 'p', or register one for their type with topology.serde(type, serde).",
        t -> {
          t.from(UPDATES)
              .<List<String>>process("p", () -> new Passing<>())
              .groupBy("g", tags -> tags.size())
              .count("c");
        });
  }

  @Test
  void aSerdeIsSaidBehindWhatKeepsValues() {
    Serde<List<String>> texts = Serdes.listOf(Serdes.string());
    assertEquals(
        texts.id(),
        kept(t ->
                t.from(BY_MEMBER)
                    .groupByKey()
                    .aggregate("a", () -> List.<String>of(), (list, u) -> list)
                    .as(texts)
                    .toStream()
                    .to(any()))
            .id());
    Node.Exchange keyed =
        exchange(t ->
            t.from(UPDATES)
                .groupBy("g", Update::tags)
                .keyAs(texts)
                .count("c")
                .toStream()
                .to(any()));
    assertEquals(texts.id(), keyed.keySerde().id());
  }

  @Test
  void typesHaveTheSerdesThatWereRegistered() {
    assertEquals(
        "kafka-long",
        kept(
                t -> {
                  t.serde(Long.class, Serdes.kafkaLong());
                  t.from(BY_MEMBER)
                      .groupByKey()
                      .aggregate("a", () -> 0L, (sum, u) -> sum + 1)
                      .toStream()
                      .to(any());
                })
            .id());
    Serde<List<String>> tags = Serdes.listOf(Serdes.string());
    Node.Exchange keyed =
        exchange(t -> {
          t.serde(new TypeRef<List<String>>() {}, tags);
          t.from(UPDATES).groupBy("g", Update::tags).count("c").toStream().to(any());
        });
    assertSame(tags, keyed.keySerde());
    assertRefused(
        "serde holds for all of a topology: call it before the first source.",
        t -> {
          t.from(UPDATES);
          t.serde(Long.class, Serdes.kafkaLong());
        });
    assertRefused(
        "The type java.lang.Long is given the serde 'long', and has 'kafka-long' already. Give it"
            + " one.",
        t -> {
          t.serde(Long.class, Serdes.kafkaLong());
          t.serde(Long.class, Serdes.longs());
        });
  }

  @Test
  void aSerdeIsNotSaidLater() {
    assertRefused(
        "as(serde) with serde 'kafka-long' comes too late: say it right behind the operator,"
            + " before anything else is added to the topology.",
        t -> {
          Table<Long, Long> counts = t.from(BY_MEMBER).groupByKey().count("c");
          counts.toStream().to(any());
          counts.as(Serdes.kafkaLong());
        });
    assertRefused(
        "keyAs(serde) is said of records that keep their keys, and with them their serde 'long'."
            + " Use it behind groupBy(name, key).",
        t -> t.from(BY_MEMBER).groupByKey().keyAs(Serdes.longs()));
  }

  static final class Passing<R> implements Processor<Bytes, Update, R> {
    @Override
    public void process(Records<Bytes, Update> records, Output<R> out) {
      while (records.next()) {}
    }
  }
}
