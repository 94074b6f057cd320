package dev.millrace.benchmarks.nexmark.app;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.model.Tally;
import dev.millrace.benchmarks.nexmark.query.Query;
import dev.millrace.benchmarks.nexmark.query.Results;

/// Adds results up, and keeps none of them. A topic is there as every application writes one; no
/// record gets there.
public final class TalliedResults<R> implements Results<R> {
  private final Query<R> query;
  private final Tally tally;
  private final KafkaSink<Long> nothing;

  /// @param topic that stays empty
  public TalliedResults(Query<R> query, Tally tally, String topic) {
    this.query = query;
    this.tally = tally;
    nothing = Kafka.sink(topic).partitions(1).value(Serdes.longs()).withRetractions();
  }

  @Override
  public void take(Stream<R> results) {
    results.records().filter(adding()).map(_ -> 0L).to(nothing);
  }

  @Override
  public void take(KeyedStream<?, R> results) {
    results.records().filter(adding()).map(_ -> 0L).to(nothing);
  }

  /// Holds for none.
  private Predicate<Record<?, R>> adding() {
    Query<R> asked = query;
    Tally all = tally;
    return result -> {
      all.add(asked.fingerprint(result.value()), result.isRetraction());
      return false;
    };
  }
}
