package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Table;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.join.AsOfJoinOperator;
import dev.millrace.internal.engine.operators.join.AsOfJoinOperator.Lateness;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import dev.millrace.internal.engine.operators.rows.Version;
import java.time.Duration;
import java.util.List;

/// Adds a join of a stream with what a table had at each record's time to a topology.
///
/// The table's changes do not tell what it had at a time: several changes of a key may come as one,
/// and one that comes out of order has the time of what caused it. So the join is given the rows
/// that the table is made of, and takes only tables of which each row is a version at its own time.
///
/// @param lateness of records and of versions
record AsOfLookup(Join join, Duration lateness) {

  <K, W, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, ?> stream, Table<K, W> other, Joiner<?, ?, ? extends R> joiner) {
    BuiltTable<K, W> table = BuiltTable.built(other, join.operator());
    requireLateness();
    stream.topology().requireOwn(table.toChangelogStream().topology(), join.operator());
    History history = requireHistory(table);
    Serde<Object> values = join.values(table.toChangelogStream(), "keeps");
    BuiltKeyedStream<K, ?> versions = versions(table.toChangelogStream(), history, values);
    Join.Sides<K> sides = join.takeLookup(stream, versions);
    Declaration declared = declare(sides.left(), history, values, join.function(joiner));
    return join.add(sides, declared, join.results(joiner));
  }

  private void requireLateness() {
    if (lateness.isNegative() || lateness.compareTo(Duration.ofMillis(Declaration.FOREVER)) >= 0) {
      throw new InvalidTopologyException(
          "%s waits for late records as long as its lateness, which is not negative; found %s."
              .formatted(join.operator(), lateness));
    }
  }

  private History requireHistory(BuiltTable<?, ?> table) {
    History history = table.history();
    if (history == null) {
      throw refused(
          "what it has follows from several records. Join the stream with each table that it is"
              + " made of in turn, .join(asOf(…)).join(asOf(…)), or put what is computed in a"
              + " window, and give it latest(…) of the window's results.");
    }
    if (table.toChangelogStream().topology().correctsMillis(history.rows())
        >= Declaration.FOREVER) {
      throw refused(
          "its records are changes of another table, which may be taken back at any time. Give it"
              + " that table, or latest(…) of a stream.");
    }
    return history;
  }

  private InvalidTopologyException refused(String reason) {
    return new InvalidTopologyException(
        join.operator() + " is given a table that does not know what it had at a time: " + reason);
  }

  private static <K> BuiltKeyedStream<K, ?> versions(
      BuiltKeyedStream<K, ?> changes, History history, Serde<Object> values) {
    Node versions =
        changes.topology().addKeyed(id -> new Node.Versions(id, history.rows(), history.view()));
    return new BuiltKeyedStream<>(
        changes.topology(),
        versions,
        changes.keySerde(),
        Typing.known(new Version.Format(values), "the versions of a table"));
  }

  private Declaration declare(
      BuiltKeyedStream<?, ?> stream, History history, Serde<Object> values, JoinFunction function) {
    long rowsMillis = Math.max(lateness.toMillis(), join.correctsMillis(stream));
    long takenBackMillis = stream.topology().correctsMillis(history.rows());
    return AsOfJoinOperator.declare(
            join.name(),
            new Lateness(rowsMillis, takenBackMillis),
            Erased.serde(stream.keySerde()),
            List.of(join.values(stream, "keeps"), values),
            function)
        .with(join.parameters());
  }
}
