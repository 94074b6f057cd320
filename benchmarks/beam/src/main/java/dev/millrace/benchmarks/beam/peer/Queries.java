package dev.millrace.benchmarks.beam.peer;

import java.util.function.Function;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.queries.BoundedSideInputJoin;
import org.apache.beam.sdk.nexmark.queries.NexmarkQueryTransform;
import org.apache.beam.sdk.nexmark.queries.Query0;
import org.apache.beam.sdk.nexmark.queries.Query1;
import org.apache.beam.sdk.nexmark.queries.Query10;
import org.apache.beam.sdk.nexmark.queries.Query11;
import org.apache.beam.sdk.nexmark.queries.Query12;
import org.apache.beam.sdk.nexmark.queries.Query14;
import org.apache.beam.sdk.nexmark.queries.Query2;
import org.apache.beam.sdk.nexmark.queries.Query3;
import org.apache.beam.sdk.nexmark.queries.Query4;
import org.apache.beam.sdk.nexmark.queries.Query5;
import org.apache.beam.sdk.nexmark.queries.Query6;
import org.apache.beam.sdk.nexmark.queries.Query7;
import org.apache.beam.sdk.nexmark.queries.Query8;
import org.apache.beam.sdk.nexmark.queries.Query9;

/// The queries of Beam's Nexmark, by the names that they have here: `q13` is the join with a view
/// that is bounded.
final class Queries {
  private static final int WORKERS = 5;

  private Queries() {}

  /// Returns a query.
  ///
  /// @throws IllegalArgumentException if there is none of that name
  static NexmarkQueryTransform<?> of(String name, NexmarkConfiguration configuration) {
    Function<NexmarkConfiguration, NexmarkQueryTransform<?>> made =
        switch (name) {
          case "q0" -> _ -> new Query0();
          case "q1" -> Query1::new;
          case "q2" -> Query2::new;
          case "q3" -> Query3::new;
          case "q4" -> Query4::new;
          case "q5" -> Query5::new;
          case "q6" -> Query6::new;
          case "q7" -> Query7::new;
          case "q8" -> Query8::new;
          case "q9" -> Query9::new;
          case "q10" -> Queries::logged;
          case "q11" -> Query11::new;
          case "q12" -> Query12::new;
          case "q13" -> BoundedSideInputJoin::new;
          case "q14" -> Query14::new;
          default ->
              throw new IllegalArgumentException(
                  "There is no query '%s'. The queries are q0 to q14.".formatted(name));
        };
    return made.apply(configuration);
  }

  /// Returns the query that cuts a log into shards, of which it has as many as its own program asks
  /// for; it writes no files.
  private static Query10 logged(NexmarkConfiguration configuration) {
    Query10 query = new Query10(configuration);
    query.setMaxNumWorkers(WORKERS);
    return query;
  }
}
