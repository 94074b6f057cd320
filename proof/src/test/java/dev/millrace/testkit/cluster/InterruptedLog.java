package dev.millrace.testkit.cluster;

import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.testkit.Interposed;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// A log whose readers return nothing now and then, or nothing of some splits.
final class InterruptedLog {
  private InterruptedLog() {}

  /// @param now whether a reader returns nothing just now
  /// @param held whether nothing of a split is returned just now
  static Log of(Log log, BooleanSupplier now, Predicate<Split> held) {
    return Interposed.before(
        Log.class,
        log,
        (name, _, call) ->
            name.equals("reader") ? reader((SplitReader) call.go(), now, held) : call.go());
  }

  private static SplitReader reader(
      SplitReader reader, BooleanSupplier now, Predicate<Split> held) {
    Set<Split> read = new TreeSet<>(Comparator.comparing(Split::toString));
    return Interposed.before(
        SplitReader.class,
        reader,
        (name, arguments, call) -> {
          switch (name) {
            case "add" -> read.add((Split) arguments.getFirst());
            case "remove" -> read.remove((Split) arguments.getFirst());
            case "poll" -> {
              if (now.getAsBoolean()) {
                return null;
              }
              for (Split split : read) {
                if (held.test(split)) {
                  reader.pause(split);
                } else {
                  reader.resume(split);
                }
              }
            }
            default -> {}
          }
          return call.go();
        });
  }
}
