package dev.millrace.benchmarks.beam;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.model.KnownSize;
import org.apache.beam.sdk.nexmark.queries.BoundedSideInputJoin;
import org.apache.beam.sdk.nexmark.queries.BoundedSideInputJoinModel;
import org.apache.beam.sdk.nexmark.queries.NexmarkQueryModel;
import org.apache.beam.sdk.nexmark.queries.NexmarkQueryTransform;
import org.apache.beam.sdk.nexmark.queries.Query0;
import org.apache.beam.sdk.nexmark.queries.Query0Model;
import org.apache.beam.sdk.nexmark.queries.Query1;
import org.apache.beam.sdk.nexmark.queries.Query1Model;
import org.apache.beam.sdk.nexmark.queries.Query2;
import org.apache.beam.sdk.nexmark.queries.Query2Model;
import org.apache.beam.sdk.nexmark.queries.Query3;
import org.apache.beam.sdk.nexmark.queries.Query3Model;
import org.apache.beam.sdk.nexmark.queries.Query4;
import org.apache.beam.sdk.nexmark.queries.Query4Model;
import org.apache.beam.sdk.nexmark.queries.Query5;
import org.apache.beam.sdk.nexmark.queries.Query5Model;
import org.apache.beam.sdk.nexmark.queries.Query6;
import org.apache.beam.sdk.nexmark.queries.Query6Model;
import org.apache.beam.sdk.nexmark.queries.Query7;
import org.apache.beam.sdk.nexmark.queries.Query7Model;
import org.apache.beam.sdk.nexmark.queries.Query8;
import org.apache.beam.sdk.nexmark.queries.Query8Model;
import org.apache.beam.sdk.nexmark.queries.Query9;
import org.apache.beam.sdk.nexmark.queries.Query9Model;
import org.apache.beam.sdk.nexmark.queries.SessionSideInputJoin;
import org.apache.beam.sdk.nexmark.queries.SessionSideInputJoinModel;
import org.apache.beam.sdk.values.TimestampedValue;

/// The queries of Nexmark for which Beam has a model: a plain loop over the same events.
enum Modelled {
  Q0(_ -> new Query0(), Query0Model::new),
  Q1(Query1::new, Query1Model::new),
  Q2(Query2::new, Query2Model::new),
  Q3(Query3::new, Query3Model::new),
  Q4(Query4::new, Query4Model::new),
  Q5(Query5::new, Query5Model::new),
  Q6(Query6::new, Query6Model::new),
  Q7(Query7::new, Query7Model::new),
  Q8(Query8::new, Query8Model::new),
  Q9(Query9::new, Query9Model::new),
  BOUNDED_SIDE_INPUT_JOIN(BoundedSideInputJoin::new, BoundedSideInputJoinModel::new),
  SESSION_SIDE_INPUT_JOIN(SessionSideInputJoin::new, SessionSideInputJoinModel::new);

  private final Function<NexmarkConfiguration, NexmarkQueryTransform<? extends KnownSize>> query;
  private final Function<NexmarkConfiguration, NexmarkQueryModel<? extends KnownSize>> model;

  Modelled(
      Function<NexmarkConfiguration, NexmarkQueryTransform<? extends KnownSize>> query,
      Function<NexmarkConfiguration, NexmarkQueryModel<? extends KnownSize>> model) {
    this.query = query;
    this.model = model;
  }

  NexmarkQueryTransform<? extends KnownSize> query(NexmarkConfiguration configuration) {
    return query.apply(configuration);
  }

  /// Whether the model tells every result, and not only the last one of each key.
  boolean tellsAll() {
    return this != Q4 && this != Q6;
  }

  /// What Nexmark itself asserts: the results are those of the model, without regard to how often.
  ///
  /// @param results in the order in which they came
  @SuppressWarnings("unchecked")
  void assertModelled(
      NexmarkConfiguration configuration, List<TimestampedValue<KnownSize>> results) {
    NexmarkQueryModel<KnownSize> of = (NexmarkQueryModel<KnownSize>) model.apply(configuration);
    of.assertionFor().apply(results);
  }

  /// How often the model has each result.
  Map<String, Long> counted(NexmarkConfiguration configuration) {
    return counted(model.apply(configuration).simulator().results());
  }

  /// How often each result is there.
  static Map<String, Long> counted(
      Iterator<? extends TimestampedValue<? extends KnownSize>> results) {
    Map<String, Long> counted = new TreeMap<>();
    results.forEachRemaining(result -> counted.merge(result.getValue().toString(), 1L, Long::sum));
    return counted;
  }
}
