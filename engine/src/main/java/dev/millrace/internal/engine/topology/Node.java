package dev.millrace.internal.engine.topology;

import dev.millrace.api.Share;
import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Source;
import dev.millrace.api.connector.Start;
import dev.millrace.api.connector.Written;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Combiner;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Parameters;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One step of a topology. Nodes point at what feeds them; their numbers count up in the order in
/// which the application named them, so a node's inputs always have smaller numbers.
///
/// Types are gone at this level: the typed front of the topology has made sure that they fit.
public sealed interface Node {
  int id();

  /// What feeds this node.
  List<Node> inputs();

  /// By how much event time behind this node is later than at the heads of its stage, in
  /// milliseconds.
  default long delayMillis() {
    return inputs().stream().mapToLong(Node::delayMillis).max().orElse(0);
  }

  /// Whether every task has all of it: a broadcast table, or what it is read from.
  default boolean broadcast() {
    return !inputs().isEmpty() && inputs().stream().allMatch(Node::broadcast);
  }

  /// How its inputs may be brought to other tasks; null if they may not.
  default @Nullable Meeting meeting() {
    return null;
  }

  /// Records of a source.
  ///
  /// @param keyed whether it is partitioned by key
  /// @param table whether a record may have no value
  /// @param broadcast whether every task reads all of it
  record Input(int id, Source<Object> source, boolean keyed, boolean table, boolean broadcast)
      implements Node {
    /// Where it is read from the first time: from where its source says, and a table, which is
    /// nothing without its past, else from the earliest record. Null if nothing says it.
    public @Nullable Start start() {
      Start said = source.start();
      return said == null && table ? Start.earliest() : said;
    }

    /// The value that a record without one stands for; null if it stands for none.
    public @Nullable Object deletion() {
      return source.deletion();
    }

    @Override
    public List<Node> inputs() {
      return List.of();
    }
  }

  record Filter(int id, Node input, Predicate<Object> predicate) implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// One value becomes another.
  ///
  /// @param keepsKey whether the key's bytes pass through
  record Map(int id, Node input, Mapper<Object, Object> mapper, boolean keepsKey) implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// One value becomes any number of others.
  ///
  /// @param keepsKey whether the key's bytes pass through
  record FlatMap(int id, Node input, Mapper<Object, Iterable<Object>> mapper, boolean keepsKey)
      implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  record Peek(int id, Node input, Consumer<Object> consumer) implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// The records of all inputs.
  ///
  /// @param meeting of an operator that takes records of several streams from here; null where the
  ///   application merges streams
  record Merge(int id, List<Node> inputs, @Nullable Meeting meeting) implements Node {
    Merge(int id, Node left, Node right) {
      this(id, List.of(left, right), null);
    }
  }

  /// The same rows, those that are late with the watermark as their time.
  record InTime(int id, Node input) implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// Rows that are versions of a table's entries, as
  /// [dev.millrace.internal.engine.operators.rows.Version]s.
  ///
  /// @param view gives the table's value for a row's
  record Versions(int id, Node input, History.View view) implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// The rows that take back none.
  record Additions(int id, Node input) implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// Of the rows of a batch, what they come to for each key.
  record Conflate(int id, Node input) implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// Of the rows of a batch, an aggregate of those that have the same key and lie in the same
  /// windows, on their way to the exchange that is its only consumer.
  ///
  /// @param exchange the name of that
  /// @param key gives the key from the value
  /// @param operator that all of it goes to, in messages
  record Combine(
      int id,
      Node input,
      String exchange,
      Mapper<Object, Object> key,
      Serde<Object> keySerde,
      String operator,
      Combiner combiner)
      implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// Sends each row to one of the nodes behind it.
  ///
  /// @param route gives one of the topics
  /// @param topics of the sinks behind it, in the order of their nodes; a sink may be
  ///   [dev.millrace.api.connector.LogTopics]
  record Route(int id, Node input, Mapper<Object, Object> route, List<String> topics)
      implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// A share of the rows, the same whenever they are processed.
  ///
  /// @param by the attribute of a value that decides; null if the key does
  /// @param serde of the attribute; null if the key decides
  record Sample(
      int id,
      Node input,
      Share share,
      @Nullable Mapper<Object, Object> by,
      @Nullable Serde<Object> serde)
      implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// Values become [dev.millrace.api.function.Record]s.
  ///
  /// @param keySerde null if the key stays bytes
  record WithMetadata(int id, Node input, @Nullable Serde<Object> keySerde) implements Node {
    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }

  /// Records travel to the task that owns their key. The only node between two stages.
  ///
  /// @param name what the user called it, or its join
  /// @param key gives a new key from the value; null if records keep theirs
  /// @param reads the keys that records keep, where they get another format; otherwise null
  /// @param reason why it is there, if the application did not ask for it; otherwise empty
  /// @param parameters of what is sent: what gives the key
  record Exchange(
      int id,
      String name,
      Node input,
      @Nullable Mapper<Object, Object> key,
      @Nullable Serde<Object> reads,
      Serde<Object> keySerde,
      Serde<Object> valueSerde,
      String reason,
      Parameters parameters)
      implements Node {

    /// One that gives records a new key.
    Exchange(
        int id,
        String name,
        Node input,
        ExchangeKey key,
        Serde<Object> keySerde,
        Serde<Object> valueSerde) {
      this(id, name, input, key.function(), null, keySerde, valueSerde, "", key.parameters());
    }

    /// One whose records keep their keys.
    ///
    /// @param reads the keys, where their format changes
    public static Exchange ofOwnKeys(
        int id,
        String name,
        Node input,
        @Nullable Serde<Object> reads,
        Serde<Object> keySerde,
        Serde<Object> valueSerde,
        String reason) {
      return new Exchange(
          id, name, input, null, reads, keySerde, valueSerde, reason, Parameters.NONE);
    }

    @Override
    public List<Node> inputs() {
      return List.of(input);
    }

    /// It is the head of a stage, and what is sent there tells the time of its sender.
    @Override
    public long delayMillis() {
      return 0;
    }
  }

  /// An operator with state.
  ///
  /// @param inputs one, or the sides of a join in their order
  /// @param kind what it does, in the plan's text: `count`, `process` …
  /// @param keySerde the serde of the key the records have here; null if the key stays bytes
  /// @param values of the sides of a join that may be brought to other tasks, as far as a serde is
  ///   known for them; empty if none may
  record Stateful(
      int id,
      String name,
      String kind,
      List<Node> inputs,
      @Nullable Serde<Object> keySerde,
      Declaration declared,
      List<Optional<Serde<Object>>> values)
      implements Node {

    Stateful(
        int id,
        String name,
        String kind,
        List<Node> inputs,
        @Nullable Serde<Object> keySerde,
        Declaration declared) {
      this(id, name, kind, inputs, keySerde, declared, List.of());
    }

    Stateful(
        int id,
        String name,
        String kind,
        Node input,
        @Nullable Serde<Object> keySerde,
        Declaration declared) {
      this(id, name, kind, List.of(input), keySerde, declared);
    }

    @Override
    public long delayMillis() {
      return declared.delayMillis() + Node.super.delayMillis();
    }

    @Override
    public @Nullable Meeting meeting() {
      return values.isEmpty()
          ? null
          : new Meeting(kind + " '" + name + "'", Join.sideNames(name), keySerde, values);
    }
  }

  /// Records go to a sink.
  ///
  /// @param keySerde reads the keys where the sink writes them in another format, that of its
  ///   [Sink#keySerde]; null if it takes the key bytes as they are
  record Output(int id, Node input, Sink<Object, Object> sink, @Nullable Serde<Object> keySerde)
      implements Node {

    /// The value that is written as a record without one; null if none is.
    public @Nullable Object deletion() {
      return sink.deletion();
    }

    /// What the application says of the records besides their values.
    public Written<Object, Object> written() {
      return Erased.written(sink.written());
    }

    /// Gives the keys that are written, from values; null if they are those of the records.
    public @Nullable Mapper<Object, Object> newKey() {
      Mapper<?, ?> key = written().key();
      return key == null ? null : Erased.mapper(key);
    }

    /// The same to one of the topics that the sink is, of which a route chooses.
    public Output to(String topic) {
      LogTopics<? extends Sink<Object, Object>> topics = sink.topics();
      if (topics == null) {
        throw new IllegalStateException("Sink '" + sink.stream() + "' is one topic.");
      }
      return new Output(id, input, Erased.sink(topics.topic(topic)), keySerde);
    }

    /// How the sink writes its keys; null if it takes the key bytes as they are.
    public @Nullable Serde<Object> newKeySerde() {
      Serde<?> keys = sink.keySerde();
      return keys == null ? null : Erased.serde(keys);
    }

    @Override
    public List<Node> inputs() {
      return List.of(input);
    }
  }
}
