package dev.millrace.internal.engine.topology;

import static dev.millrace.api.With.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.Share;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Windowed;
import dev.millrace.api.Windows;
import dev.millrace.api.With;
import dev.millrace.api.Within;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream.Builder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WrongTopologiesTest {
  private static final KafkaSource<String> WORDS = Kafka.source("words").value(Serdes.string());
  private static final KafkaKeyedSource<String, String> USERS =
      Kafka.source("users").key(Serdes.string()).value(Serdes.string());
  private static final KafkaKeyedSource<String, String> OTHERS =
      Kafka.source("others").key(Serdes.string()).value(Serdes.string());
  private static final KafkaKeyedSink<String, String> OTHERS_OUT =
      Kafka.sink("others").key(Serdes.string()).value(Serdes.string());
  private static final KafkaKeyedSource<String, String> NAMES =
      Kafka.source("names").key(Serdes.string()).value(Serdes.string());
  private static final KafkaSink<String> OUT = Kafka.sink("out").value(Serdes.string());
  private static final KafkaKeyedSink<String, Long> COUNTS =
      Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs());

  /// A sink that names no topic and that nothing opens.
  private record Unopened(String stream, Serde<String> valueSerde)
      implements Sink<Object, String> {}

  /// One way to go wrong.
  ///
  /// @param message what the application's author reads
  record Wrong(String what, StreamApplication application, String message) {
    @Override
    public String toString() {
      return what;
    }
  }

  record Plain(String word) {}

  static final class Copy implements Processor<String, String, String> {
    @Override
    public void process(Records<String, String> records, Output<String> out) {
      while (records.next()) {
        out.emit(records.value());
      }
    }
  }

  static List<Wrong> wrong() {
    Builder<Wrong> all = java.util.stream.Stream.builder();
    names(all);
    shapes(all);
    keys(all);
    corrections(all);
    parts(all);
    return all.build().toList();
  }

  /// What cannot be taken back, or not any more.
  private static void corrections(Builder<Wrong> all) {
    Windows late = Windows.tumbling(Duration.ofSeconds(1)).allowedLateness(Duration.ofHours(1));
    all.add(
        new Wrong(
            "a processor behind corrected results",
            t ->
                t.from(USERS)
                    .groupByKey()
                    .window(late)
                    .reduce("last", (_, b) -> b)
                    .results(r -> r.value())
                    .as(Serdes.string())
                    .process("copy", Copy::new),
            corrected("process 'copy'", "")));
    all.add(
        new Wrong(
            "duplicates among corrected results",
            t ->
                t.from(USERS)
                    .groupByKey()
                    .window(late)
                    .reduce("last", (_, b) -> b)
                    .results(r -> r.value())
                    .as(Serdes.string())
                    .groupByKey()
                    .deduplicate("once", Duration.ofHours(1)),
            corrected("deduplicate 'once'", "")));
    all.add(
        new Wrong(
            "corrected results that look a table up",
            t ->
                t.from(USERS)
                    .groupByKey()
                    .window(late)
                    .reduce("last", (_, b) -> b)
                    .results(r -> r.value())
                    .as(Serdes.string())
                    .leftJoin("known", table(t.table("names", NAMES)), (word, _) -> word)
                    .to(OUT),
            corrected(
                "leftJoin 'known'",
                "Or join with asOf(table, lateness), which retracts what it joined. ")));
    all.add(
        new Wrong(
            "duplicates within no time",
            t -> t.from(USERS).groupByKey().deduplicate("once", Duration.ZERO),
            "deduplicate 'once' looks back for a positive number of whole milliseconds, of at most"
                + " PT8760000H; found PT0S."));
    all.add(
        new Wrong(
            "windows over the changes of a table",
            t ->
                t.from(USERS)
                    .groupByKey()
                    .count("counts")
                    .toChangelogStream()
                    .groupByKey()
                    .window(late)
                    .count("windows"),
            "A window is given the changes of a table, which may take a value back at any time,"
                + " also when the window is closed. Give it toStream() of the table: then each new"
                + " value is one more record."));
    asOf(all);
    all.add(
        new Wrong(
            "a ranking of sessions",
            t ->
                t.from(USERS)
                    .groupByKey()
                    .window(Windows.sessions(Duration.ofSeconds(1)))
                    .count("visits")
                    .topK("most", 3, r -> r.key()),
            "topK 'most' ranks what several keys have in one window, and here each key has windows"
                + " of its own. Use tumbling, hopping or calendar windows."));
    windowedTables(all);
    all.add(
        new Wrong(
            "a join by key of a stream without keys",
            t ->
                t.from(WORDS)
                    .leftJoin(
                        "known",
                        table(
                            t.table(
                                "bytes",
                                Kafka.source("b").key(Serdes.view()).value(Serdes.string()))),
                        (word, _) -> word)
                    .to(OUT),
            "leftJoin 'known' is given a stream without keys, and joins by the keys of its records."
                + " Give the stream keys with groupBy(name, key).stream(), or join with what is"
                + " looked up by a key from the value: broadcast(table, key) or remote(table,"
                + " key)."));
    all.add(
        new Wrong(
            "groups of rankings without a serde",
            t ->
                windowed(t.from(USERS))
                    .count("visits")
                    .topK("most", 3, r -> List.of(r.key()), r -> r.key())
                    .to(OUT),
            "topK 'most' ranks within groups and finds no serde for them: the lambda shows only"
                + " java.util.List without its type arguments. Register one for their type with"
                + " topology.serde(type, serde); a reference to a method, or a class that"
                + " implements Mapper, shows type arguments, too."));
  }

  /// Windowed tables that cannot be joined, and joins that are not final.
  private static void windowedTables(Builder<Wrong> all) {
    Windows late = Windows.tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ofHours(1));
    all.add(
        new Wrong(
            "a join of windows that each key has of its own",
            t ->
                windowed(t.from(USERS))
                    .count("visits")
                    .join(
                        "both",
                        t.from(OTHERS)
                            .groupByKey()
                            .window(Windows.sessions(Duration.ofSeconds(1)))
                            .count("others"),
                        (a, b) -> a + b),
            "join 'both' joins what a key has in one window, and is given results of tumbling"
                + " windows of 10s and of sessions with gaps of 1s: there each key has windows of"
                + " its own. Use tumbling, hopping or calendar windows for both tables."));
    all.add(
        new Wrong(
            "a join of windows that differ",
            t ->
                windowed(t.from(USERS))
                    .count("visits")
                    .outerJoin(
                        "both",
                        t.from(OTHERS)
                            .groupByKey()
                            .window(Windows.tumbling(Duration.ofSeconds(5)))
                            .count("others"),
                        (a, b) -> a + b),
            "outerJoin 'both' joins what a key has in one window, and is given results of tumbling"
                + " windows of 10s and of tumbling windows of 5s. Use equal windows for both"
                + " tables."));
    all.add(
        new Wrong(
            "a processor behind joined windowed tables",
            t ->
                t.from(USERS)
                    .groupByKey()
                    .window(late)
                    .count("visits")
                    .join(
                        "both",
                        t.from(OTHERS).groupByKey().window(late).count("others"),
                        (a, b) -> a + b)
                    .results(r -> "")
                    .process("copy", Copy::new),
            corrected("process 'copy'", "")));
    all.add(
        new Wrong(
            "a processor behind corrected results that were joined",
            t ->
                t.from(USERS)
                    .groupByKey()
                    .window(late)
                    .reduce("last", (_, b) -> b)
                    .results(r -> r.value())
                    .as(Serdes.string())
                    .join(
                        "both",
                        With.stream(t.from(OTHERS), Within.of(Duration.ofSeconds(1))),
                        (a, b) -> a)
                    .process("copy", Copy::new),
            corrected("process 'copy'", "")));
  }

  /// What is joined as of a time, and does not know what it had then.
  private static void asOf(Builder<Wrong> all) {
    String computed =
        "joinAsOf 'then' is given a table that does not know what it had at a time: what it has"
            + " follows from several records. Join the stream with each table that it is made of in"
            + " turn, .join(asOf(…)).join(asOf(…)), or put what is computed in a window, and give"
            + " it latest(…) of the window's results.";
    all.add(
        new Wrong(
            "a count as of a time",
            t -> asOf(t, t.from(USERS).groupByKey().count("counts"), Duration.ZERO),
            computed));
    all.add(
        new Wrong(
            "joined tables as of a time",
            t ->
                asOf(
                    t,
                    t.from(USERS)
                        .groupByKey()
                        .latest("left")
                        .join("both", t.table("right", OTHERS), (a, b) -> a + b)
                        .as(Serdes.string())
                        .filter(both -> !both.isEmpty()),
                    Duration.ZERO),
            computed));
    all.add(
        new Wrong(
            "the latest of a table's changes as of a time",
            t ->
                asOf(
                    t,
                    t.table("others", OTHERS).toChangelogStream().groupByKey().latest("last"),
                    Duration.ZERO),
            "joinAsOf 'then' is given a table that does not know what it had at a time: its records"
                + " are changes of another table, which may be taken back at any time. Give it that"
                + " table, or latest(…) of a stream."));
    all.add(
        new Wrong(
            "a join as of a time that waits for less than nothing",
            t -> asOf(t, t.table("others", OTHERS), Duration.ofSeconds(-5)),
            "joinAsOf 'then' waits for late records as long as its lateness, which is not negative;"
                + " found PT-5S."));
  }

  private static <V> void asOf(Topology topology, Table<String, V> table, Duration lateness) {
    topology
        .from(USERS)
        .join("then", With.asOf(table, lateness), (user, then) -> user + then)
        .as(Serdes.string());
  }

  private static void names(Builder<Wrong> all) {
    for (String name : List.of("", "Words", "by word", "-words", "by_word", "x".repeat(101))) {
      all.add(
          new Wrong(
              "the name '" + name + "'",
              t -> t.from(WORDS).groupBy(name, w -> w),
              "groupBy cannot be called '%s': a name has 1 to 100 lower-case letters, digits and '-', and does not begin with '-'."
                  .formatted(name)));
    }
    all.add(
        new Wrong(
            "two operators of one name",
            t -> t.from(USERS).groupByKey().window(ten()).count("w").topK("w", 3, r -> r.key()),
            "The name 'w' is given to count and to topK. Give each a name of its own."));
    all.add(
        new Wrong(
            "an exchange and an operator of one name",
            t -> t.from(WORDS).groupBy("w", w -> w).stream().process("w", Copy::new),
            "The name 'w' is given to groupBy and to process. Give each a name of its own."));
    StoreSpec<String, Long> seen = StoreSpec.keyValue("seen", Serdes.string(), Serdes.longs());
    all.add(
        new Wrong(
            "a store of two operators",
            t -> t.from(USERS).process("a", Copy::new, seen).process("b", Copy::new, seen),
            "The store name 'seen' is taken by process 'a' and by process 'b'. A store belongs to"
                + " one operator; give each a name of its own."));
    all.add(
        new Wrong(
            "a store called like the timers",
            t ->
                t.from(USERS)
                    .process(
                        "a",
                        Copy::new,
                        StoreSpec.keyValue("a-timers", Serdes.string(), Serdes.longs())),
            "The store name 'a-timers' is taken by process 'a' and by the timers of process 'a'. A"
                + " store belongs to one operator; give each a name of its own."));
    all.add(
        new Wrong(
            "a store with a strange name",
            t ->
                t.from(USERS)
                    .process(
                        "a",
                        Copy::new,
                        StoreSpec.keyValue("../seen", Serdes.string(), Serdes.longs())),
            "A store of process 'a' cannot be called '../seen': a name has 1 to 100 lower-case"
                + " letters, digits and '-', and does not begin with '-'."));
  }

  private static void shapes(Builder<Wrong> all) {
    all.add(
        new Wrong(
            "nothing", _ -> {}, "The topology reads nothing. Begin with topology.from(source)."));
    all.add(
        new Wrong(
            "no sink",
            t -> t.from(WORDS).filter(w -> w.isEmpty()),
            "The topology writes nothing. End a stream with to(sink)."));
    all.add(
        new Wrong(
            "a source without use",
            t -> {
              t.from(WORDS).to(OUT);
              t.from(USERS);
            },
            "Stream 'users' is read and not used. Use it or remove it."));
    all.add(
        new Wrong(
            "an exchange without use",
            t -> {
              t.from(WORDS).to(OUT);
              t.from(USERS).groupBy("by-word", w -> w);
            },
            "groupBy 'by-word' sends records to other tasks where nothing is done with them. Use"
                + " its result or remove it."));
    all.add(
        new Wrong(
            "a stream of another topology",
            t -> t.from(WORDS).merge(strayStream()),
            "merge was given a stream of another topology. Streams can be combined only within one"
                + " describe."));
    all.add(
        new Wrong(
            "a keyed stream of another topology",
            t -> t.from(USERS).merge(strayKeyedStream()),
            "merge was given a stream of another topology. Streams can be combined only within one"
                + " describe."));
    all.add(
        new Wrong(
            "no rank",
            t -> windowed(t.from(USERS)).count("c").topK("top", 0, r -> r.key()).to(OUT),
            "topK 'top' is asked for the 0 largest; give at least 1."));
    all.add(
        new Wrong(
            "ranks of what has no order",
            t ->
                windowed(t.from(USERS))
                    .aggregate("a", () -> new Plain(""), (_, w) -> new Plain(w))
                    .topK("top", 3, r -> r.key())
                    .to(OUT),
            "topK 'top' ranks the results of aggregate 'a', and these have no order:"
                + " dev.millrace.internal.engine.topology.WrongTopologiesTest$Plain is not"
                + " Comparable. Make it that, or have aggregate 'a' give something that is, such as"
                + " a number."));
  }

  /// What an operator says that takes no corrections.
  static String corrected(String operator, String instead) {
    return operator
        + " takes only what is final, and would be given results that are taken back when they are"
        + " corrected. Have each come once: from windows with onlyFinal(), or with"
        + " allowedLateness(Duration.ZERO) and no early(...); from joins with no lateness; from a"
        + " table by toStream() in place of toChangelogStream(). "
        + instead
        + "Or put withoutRetractions() before it: then a corrected result is one more record beside"
        + " the old one, so that whoever counts or adds up has both.";
  }

  /// What is wrong with what operators are given, which is found before they are.
  private static void parts(Builder<Wrong> all) {
    Duration minute = Duration.ofMinutes(1);
    String early =
        " have no early results. Leave out early(...), or use tumbling, hopping or calendar"
            + " windows, windows of a number of records, or all().";
    all.add(
        new Wrong(
            "windows with gaps",
            _ -> Windows.hopping(minute, Duration.ofMinutes(2)),
            "Windows of PT1M every PT2M would have gaps between them."));
    all.add(
        new Wrong(
            "early results of sessions",
            _ -> Windows.sessions(minute).early(minute),
            "Sessions" + early));
    all.add(
        new Wrong(
            "early results of sliding windows",
            _ -> Windows.sliding(minute).early(1),
            "Sliding windows" + early));
    for (int records : new int[] {0, -1}) {
      all.add(
          new Wrong(
              "early results after " + records,
              _ -> Windows.tumbling(minute).early(records),
              "An early result comes after at least one record; found " + records + "."));
    }
    for (Supplier<Windows> both :
        List.<Supplier<Windows>>of(
            () -> Windows.days(ZoneOffset.UTC).early(5).onlyFinal(),
            () -> Windows.days(ZoneOffset.UTC).onlyFinal().early(minute))) {
      all.add(
          new Wrong(
              "early results that wait",
              _ -> Objects.requireNonNull(both.get()),
              "A result cannot be early and wait until it is final. Leave out early(...) or"
                  + " onlyFinal()."));
    }
    all.add(
        new Wrong(
            "a distance that is negative",
            _ -> Within.of(Duration.ofMinutes(-5)),
            "before + after must not be negative, the lateness neither; found before=PT-5M,"
                + " after=PT-5M, lateness=PT1M."));
    all.add(new Wrong("a share of none", _ -> Share.of(1.5), "A share is from 0 to 1; found 1.5."));
    all.add(
        new Wrong(
            "a topic without partitions",
            _ -> Kafka.source("words").partitions(0),
            "Topic 'words' cannot have 0 partitions; give at least 1."));
    all.add(
        new Wrong(
            "a store of values that are gone at once",
            _ ->
                StoreSpec.keyValue("seen", Serdes.string(), Serdes.longs())
                    .withTimeToLive(Duration.ZERO),
            "A value of store 'seen' is to live for PT0S; give a millisecond at least."));
    all.add(
        new Wrong(
            "no message",
            _ -> {
              throw new IllegalArgumentException();
            },
            "java.lang.IllegalArgumentException"));
  }

  private static void keys(Builder<Wrong> all) {
    all.add(
        new Wrong(
            "a sink with keys for a stream without",
            t -> t.from(WORDS).to(Kafka.sink("o").key(Serdes.view()).value(Serdes.string())),
            "Sink 'o' has keys, and the stream written to it has none. Have the sink take the key"
                + " from the value, with key(…), or give the stream one with groupBy(name,"
                + " key).stream(), or describe the sink without a key."));
    all.add(
        new Wrong(
            "a sink that nothing opens",
            t -> t.from(WORDS).to(new Unopened("o", Serdes.string())),
            "Sink 'o' names no topic, and nothing says how it is opened. Let "
                + Unopened.class.getName()
                + " implement ExternalSink, or have it return a topic."));
    all.add(
        new Wrong(
            "keys of values for what is taken back",
            t ->
                t.from(USERS)
                    .groupByKey()
                    .window(Windows.tumbling(Duration.ofMinutes(1)))
                    .count("n")
                    .results(result -> "" + result.value())
                    .to(OTHERS_OUT.key(value -> value)),
            "Sink 'others' takes keys from values, and would be given results that are taken back"
                + " when they are corrected: tasks that write the same key know nothing of each"
                + " other, and one would delete what another has written. Give the stream that key"
                + " with groupBy(name, key).stream(), write what is taken back, too, with"
                + " withRetractions(), or put withoutRetractions() before the sink."));
    all.add(
        new Wrong(
            "keys of values for a table",
            t -> t.table("names", NAMES).to(OTHERS_OUT.key(value -> value)),
            "Sink 'others' takes keys from values, and would be given results that are taken back"
                + " when they are corrected: tasks that write the same key know nothing of each"
                + " other, and one would delete what another has written. Give the stream that key"
                + " with groupBy(name, key).stream(), write what is taken back, too, with"
                + " withRetractions(), or put withoutRetractions() before the sink."));
    all.add(
        new Wrong(
            "timestamps of values and of writing",
            t ->
                t.from(WORDS)
                    .to(
                        OUT.timestamp(word -> Instant.ofEpochMilli(word.length()))
                            .timestamps(Timestamps.OF_WRITING)),
            "Sink 'out' takes timestamps from values, and writes the time of writing instead. Leave"
                + " out timestamp(…) or timestamps(Timestamps.OF_WRITING)."));
    all.add(
        new Wrong(
            "merged streams with other bytes for the same keys",
            t -> {
              var one = Kafka.source("a").key(Serdes.longs()).value(Serdes.string());
              var other = Kafka.source("b").key(Serdes.kafkaLong()).value(Serdes.string());
              t.from(one).merge(t.from(other)).to(OUT);
            },
            "merge was given streams whose keys have different bytes: serde 'long' and serde"
                + " 'kafka-long'. Records of one key would not meet; bring one side to the other's"
                + " keys with groupBy(name, key).keyAs(serde).stream()."));
    KafkaKeyedSource<String, String> textKeys =
        Kafka.source("t").key(TextSerde.<String>named("text")).value(Serdes.string());
    all.add(
        new Wrong(
            "grouping by keys without one form",
            t -> t.from(textKeys).groupByKey().count("c").to(COUNTS),
            "groupByKey groups keys whose serde 'text' does not promise equal bytes for equal keys."
                + " Use groupBy(name, key).keyAs(serde) with one that does."));
    all.add(
        new Wrong(
            "processing keys without one form",
            t -> t.from(textKeys).process("p", Copy::new).to(OUT),
            "process 'p' is given keys whose serde 'text' does not promise equal bytes for equal"
                + " keys. Use groupBy(name, key).keyAs(serde) with one that does."));
    all.add(
        new Wrong(
            "an exchange by keys without one form",
            t ->
                t.from(WORDS)
                    .groupBy("g", w -> w)
                    .keyAs(TextSerde.named("text"))
                    .count("c")
                    .to(COUNTS),
            "groupBy 'g' groups by keys whose serde 'text' does not promise equal bytes for equal"
                + " keys. Give one that does."));
  }

  private static Windows ten() {
    return Windows.tumbling(Duration.ofSeconds(10));
  }

  private static Windowed<String, String> windowed(KeyedStream<String, String> stream) {
    return stream.groupByKey().window(ten());
  }

  private static Stream<String> strayStream() {
    return new TopologyBuilder().from(WORDS);
  }

  private static KeyedStream<String, String> strayKeyedStream() {
    return new TopologyBuilder().from(USERS);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void isRefusedWithWordsThatHelp(Wrong wrong) {
    InvalidTopologyException refused =
        assertThrows(InvalidTopologyException.class, () -> TopologyGraph.of(wrong.application()));
    assertEquals(wrong.message(), refused.getMessage());
  }

  @Test
  void whatAPartRefusesIsTheCause() {
    InvalidTopologyException refused =
        assertThrows(
            InvalidTopologyException.class, () -> TopologyGraph.of(_ -> Windows.ofRecords(0)));
    assertEquals(refused.getMessage(), refused.getCause().getMessage());
    assertEquals(IllegalArgumentException.class, refused.getCause().getClass());
  }

  /// The author of an application sees no stack trace.
  @Test
  void theLineOfTheApplicationIsNamed() {
    IllegalArgumentException found = new IllegalArgumentException("No such thing.");
    found.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("dev.millrace.api.Windows", "tumbling", "Windows.java", 20),
          new StackTraceElement("com.example.Visits", "describe", "Visits.java", 31),
          new StackTraceElement(TopologyGraph.class.getName(), "of", "TopologyGraph.java", 30),
          new StackTraceElement("com.example.Main", "main", "Main.java", 7),
        });
    assertEquals(
        "No such thing. (Visits.java:31)",
        assertThrows(
                InvalidTopologyException.class,
                () ->
                    TopologyGraph.of(_ -> {
                      throw found;
                    }))
            .getMessage());
  }

  @Test
  void streamsEndWithTheDescription() {
    List<Stream<String>> kept = new ArrayList<>();
    TopologyGraph.of(t -> {
      Stream<String> words = t.from(WORDS);
      words.to(OUT);
      kept.add(words);
    });
    assertEquals(
        "The topology is complete: streams can be used only until describe returns.",
        assertThrows(InvalidTopologyException.class, () -> kept.getFirst().filter(w -> true))
            .getMessage());
  }
}
