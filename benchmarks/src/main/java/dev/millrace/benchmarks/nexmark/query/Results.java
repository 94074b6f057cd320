package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;

/// Where the results of a query go. A result that is corrected is taken back, and the new one
/// follows.
public interface Results<R> {
  void take(Stream<R> results);

  void take(KeyedStream<?, R> results);
}
