package dev.millrace.benchmarks.nexmark.query;

/// One of Nexmark's questions.
///
/// @param <R> its results
public interface Query<R> {

  /// What its results are.
  Class<R> type();

  /// Describes how it is answered.
  void build(Events events, Results<R> results);

  /// Tells results apart by what is determined of them: of several bids that tie, which one is told
  /// is left to the engine. A number of results that come in pieces, whose sum is determined, is a
  /// factor.
  long fingerprint(R result);
}
