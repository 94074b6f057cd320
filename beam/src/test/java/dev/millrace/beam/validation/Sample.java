package dev.millrace.beam.validation;

import java.util.List;

/// Which tests of Beam every build runs: some of each kind of transform, a minute of them.
final class Sample {
  private static final List<String> CLASSES =
      List.of(
          "transforms.CreateTest#",
          "transforms.FlattenTest#",
          "transforms.GroupByKeyTest$BasicTests#testGroupByKey",
          "transforms.ReshuffleTest#",
          "transforms.ParDoTest$StateTests#",
          "transforms.ParDoTest$TimerTests#testEventTime",
          "transforms.ParDoTest$OnWindowExpirationTests#",
          "transforms.SplittableDoFnTest#testPairWithIndex",
          "transforms.ViewTest#testWindowed",
          "transforms.windowing.",
          "testing.TestStreamTest#",
          "metrics.MetricsTest$");

  private Sample() {}

  static boolean has(String name) {
    return CLASSES.stream().anyMatch(name::startsWith);
  }
}
