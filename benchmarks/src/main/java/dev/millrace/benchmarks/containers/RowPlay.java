package dev.millrace.benchmarks.containers;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Measures what a row is about, once.
interface RowPlay {
  /// Plays it once.
  void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException;
}
