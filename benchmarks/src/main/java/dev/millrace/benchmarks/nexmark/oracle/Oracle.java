package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Event;

/// Answers a query plainly, and gives away each result once it is known.
interface Oracle {

  /// Events come in the order of their numbers, and so of their times.
  void add(Event event);

  /// Nothing more comes.
  void end();
}
