package dev.millrace.internal.engine.topology;

import dev.millrace.api.Broadcast;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Stream;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.connector.KeyedSource;
import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Source;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.TypeRef;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.join.BroadcastTableOperator;
import dev.millrace.internal.engine.operators.table.TableSourceOperator;
import dev.millrace.internal.engine.operators.table.TickOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Collects the nodes while an application describes its topology. The streams it hands out add to
/// it and see to it that the types fit.
final class TopologyBuilder implements Topology {
  private final List<Node> nodes = new ArrayList<>();
  private final Set<Integer> keyed = new HashSet<>();

  /// By node, for how long it takes back what it has emitted, in milliseconds of event time.
  private final List<Long> corrects = new ArrayList<>();

  private final Names names = new Names();
  private final DefaultSerdes serdes = new DefaultSerdes();

  /// What is added before anything else is; null if there is nothing.
  private @Nullable Deferred<?> deferred;

  /// How far the times are apart at which tables change; 0 if that is whenever a record comes.
  private Renames renames = Renames.NONE;

  private long tickMillis;

  private boolean complete;

  @Override
  public <T> void serde(Class<T> type, Serde<T> serde) {
    requireNoSource("serde");
    serdes.register(type, serde);
  }

  @Override
  public <T> void serde(TypeRef<T> type, Serde<T> serde) {
    requireNoSource("serde");
    serdes.register(type.type(), serde);
  }

  @Override
  public void renamed(String was, String is) {
    renames = renames.and(was, is);
  }

  private void requireNoSource(String method) {
    if (!nodes.isEmpty()) {
      throw new InvalidTopologyException(
          method + " holds for all of a topology: call it before the first source.");
    }
  }

  /// The serdes of types.
  DefaultSerdes serdes() {
    return serdes;
  }

  /// Adds a part, but only just before the next one is added, so that its serde can be said before.
  ///
  /// @param adding adds it, with the serde that was given; null if none was
  <T> Deferred<T> defer(Function<@Nullable Serde<Object>, T> adding) {
    addDeferred();
    Deferred<T> part =
        Deferred.of(given -> {
          deferred = null;
          return adding.apply(given);
        });
    deferred = part;
    return part;
  }

  private void addDeferred() {
    if (deferred != null) {
      deferred.get();
    }
  }

  @Override
  public void consistentEvery(Duration tick) {
    requireNoSource("consistentEvery");
    if (tick.toMillis() <= 0 || !tick.equals(Duration.ofMillis(tick.toMillis()))) {
      throw new InvalidTopologyException(
          "A tick is a positive number of whole milliseconds; found %s.".formatted(tick));
    }
    tickMillis = tick.toMillis();
  }

  /// An operator without windows as it is here: at ticks, if there are any.
  ///
  /// @param values gives the serdes of the rows of each input
  Declaration atTicks(
      String name, Declaration declared, Serde<Object> keys, Supplier<List<Serde<Object>>> values) {
    return tickMillis == 0
        ? declared
        : TickOperator.declare(name, declared, tickMillis, keys, values.get());
  }

  /// Whether tables change at ticks.
  boolean ticks() {
    return tickMillis > 0;
  }

  @Override
  public <V> Stream<V> from(Source<V> source) {
    Node input = input(source, false);
    Node node = tickMillis == 0 ? input : add(id -> new Node.InTime(id, input));
    return new BuiltStream<>(this, node, keptValues(source));
  }

  @Override
  public <K, V> KeyedStream<K, V> from(KeyedSource<K, V> source) {
    return new BuiltKeyedStream<>(
        this, inTime(input(source, true)), source.keySerde(), keptValues(source));
  }

  /// The records of a source; of several topics together. Those of a pattern are known only when
  /// the log was asked, see [TopologyGraph#withTopics].
  private Node input(Source<?> source, boolean isKeyed) {
    LogTopics<? extends Source<?>> topics = source.topics();
    if (topics == null || topics.choice().pattern() != null) {
      return addAs(isKeyed, id -> new Node.Input(id, Erased.source(source), isKeyed, false, false));
    }
    List<Node> inputs = new ArrayList<>();
    for (String topic : topics.choice().names()) {
      inputs.add(input(topics.topic(topic), isKeyed));
    }
    return inputs.size() == 1
        ? inputs.getFirst()
        : addAs(isKeyed, id -> new Node.Merge(id, List.copyOf(inputs), null));
  }

  private Node addAs(boolean isKeyed, IntFunction<Node> withId) {
    return isKeyed ? addKeyed(withId) : add(withId);
  }

  @Override
  public <K, V> Table<K, V> table(String name, KeyedSource<K, V> source) {
    String operator = "table '" + name + "'";
    requirePlainValues(operator, source);
    names.takeOperator("table", name);
    Typing.requireCanonical(operator + " is given", source.keySerde(), "Give one that does.");
    Serde<Object> keys = Erased.serde(source.keySerde());
    Serde<Object> values = Erased.serde(source.valueSerde());
    Node input =
        inTime(addKeyed(id -> new Node.Input(id, Erased.source(source), true, true, false)));
    Declaration declared =
        atTicks(name, TableSourceOperator.declare(name, keys, values), keys, () -> List.of(values));
    Node table = addStateful(operator, name, "table", List.of(input), keys, declared);
    return new BuiltTable<>(
        new BuiltKeyedStream<>(
            this, table, source.keySerde(), Typing.known(source.valueSerde(), "the values")),
        History.of(input));
  }

  private static Typing keptValues(Source<?> source) {
    return Typing.known(source.keptSerde(), "the values");
  }

  private static void requirePlainValues(String operator, Source<?> source) {
    if (source.topics() != null) {
      throw new InvalidTopologyException(
          "%s is given several topics ('%s'): which of two values of a key is the latest could not be told. Read one topic; or merge streams of several, and make a table of that with groupByKey().latest(name)."
              .formatted(operator, source.stream()));
    }
    if (source.deletion() != null) {
      throw new InvalidTopologyException(
          "%s is given '%s' with its deletions. A table deletes the keys of records without a value by itself: leave out withDeletions()."
              .formatted(operator, source.stream()));
    }
  }

  private Node inTime(Node input) {
    return tickMillis == 0 ? input : addKeyed(id -> new Node.InTime(id, input));
  }

  @Override
  public <K, V> Broadcast<K, V> broadcastTable(String name, KeyedSource<K, V> source) {
    String operator = "broadcastTable '" + name + "'";
    requirePlainValues(operator, source);
    names.takeOperator("broadcastTable", name);
    Typing.requireCanonical(operator + " is given", source.keySerde(), "Give one that does.");
    Serde<Object> keys = Erased.serde(source.keySerde());
    StoreSpec<Bytes, Object> store =
        BroadcastTableOperator.store(name, keys, Erased.serde(source.valueSerde()));
    Declaration declared = BroadcastTableOperator.declare(store);
    takeStores(operator, declared);
    Node input = add(id -> new Node.Input(id, Erased.source(source), true, true, true));
    Node table = add(id -> new Node.Stateful(id, name, "broadcast", input, keys, declared));
    return new BuiltBroadcast<>(this, table, keys, store);
  }

  /// Adds an operator with state whose records are partitioned by their key, and takes the names of
  /// its stores.
  ///
  /// @param operator in messages
  Node addStateful(
      String operator,
      String name,
      String kind,
      List<Node> inputs,
      Serde<?> keys,
      Declaration declared) {
    takeStores(operator, declared);
    return addKeyed(id -> new Node.Stateful(id, name, kind, inputs, Erased.serde(keys), declared));
  }

  /// Takes the names of an operator's stores.
  void takeStores(String operator, Declaration declared) {
    declared.stores().forEach(store -> names.takeStore(store.name(), operator));
  }

  /// Adds a node whose records are wherever the node before had them.
  <N extends Node> N add(IntFunction<N> withId) {
    if (complete) {
      throw new InvalidTopologyException(
          "The topology is complete: streams can be used only until describe returns.");
    }
    addDeferred();
    N node = withId.apply(nodes.size());
    nodes.add(node);
    corrects.add(
        node instanceof Node.Stateful stateful
            ? stateful.declared().correctsMillis()
            : node instanceof Node.Additions
                ? 0
                : node.inputs().stream().mapToLong(this::correctsMillis).max().orElse(0));
    return node;
  }

  /// Adds a node whose records are partitioned by their key.
  <N extends Node> N addKeyed(IntFunction<N> withId) {
    N node = add(withId);
    keyed.add(node.id());
    return node;
  }

  /// For how long, in event time, what comes out of a node may be taken back; 0 if never.
  long correctsMillis(Node node) {
    return corrects.get(node.id());
  }

  /// Refuses an operator that cannot take back what was taken back before it.
  void requireFinal(Node node, String operator) {
    requireFinal(node, operator, "");
  }

  /// @param instead another operator that can, as a sentence; empty if there is none
  void requireFinal(Node node, String operator, String instead) {
    if (correctsMillis(node) > 0) {
      throw new InvalidTopologyException(
          operator
              + " takes only what is final, and would be given results that are taken back when"
              + " they are corrected. Have each come once: from windows with onlyFinal(), or with"
              + " allowedLateness(Duration.ZERO) and no early(...); from joins with no lateness;"
              + " from a table by toStream() in place of toChangelogStream()."
              + (instead.isEmpty() ? "" : " " + instead)
              + " Or put withoutRetractions() before it: then a corrected result is one more"
              + " record beside the old one, so that whoever counts or adds up has both.");
    }
  }

  Names names() {
    addDeferred();
    return names;
  }

  /// Checks that a stream given to another one was made by the same topology.
  void requireOwn(TopologyBuilder other, String operator) {
    if (other != this) {
      throw foreign(operator);
    }
  }

  static InvalidTopologyException foreign(String operator) {
    return new InvalidTopologyException(
        operator
            + " was given a stream of another topology. Streams can be combined only within one"
            + " describe.");
  }

  TopologyGraph complete() {
    addDeferred();
    complete = true;
    if (nodes.stream().noneMatch(Node.Input.class::isInstance)) {
      throw new InvalidTopologyException(
          "The topology reads nothing. Begin with topology.from(source).");
    }
    if (nodes.stream().noneMatch(Output::isOutput)) {
      throw new InvalidTopologyException(
          "The topology writes nothing. End a stream with to(sink).");
    }
    TopologyGraph graph = new TopologyGraph(nodes, keyed, renames);
    for (Node node : nodes) {
      requireUse(graph, node);
    }
    return graph;
  }

  private static void requireUse(TopologyGraph graph, Node node) {
    if (node instanceof Node.Stateful table
        && table.broadcast()
        && graph.consumers(node).isEmpty()) {
      throw new InvalidTopologyException(
          "Nothing is looked up in broadcastTable '%s'. Use it or remove it."
              .formatted(table.name()));
    }
    if (node instanceof Node.Input input && graph.consumers(node).isEmpty()) {
      throw new InvalidTopologyException(
          "Stream '%s' is read and not used. Use it or remove it."
              .formatted(input.source().stream()));
    }
    if (node instanceof Node.Exchange exchange && graph.consumers(node).isEmpty()) {
      throw new InvalidTopologyException(
          "%s '%s' sends records to other tasks where nothing is done with them. Use its result or remove it."
              .formatted(exchange.key() == null ? "repartition" : "groupBy", exchange.name()));
    }
  }
}
