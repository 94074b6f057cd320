package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;

/// A job that is run in steps while its containers are crashed.
interface Run {

  Cluster cluster();

  /// The steps taken so far.
  long steps();

  /// Whether it takes longer than any run should that gets on.
  boolean overdue();

  /// One worker does a piece of work, and time passes.
  void step();

  /// Lets things go wrong between the containers and the log from now on, if that can be had.
  void disturb(Seed faults);

  /// Lets nothing go wrong any more.
  void calm();
}
