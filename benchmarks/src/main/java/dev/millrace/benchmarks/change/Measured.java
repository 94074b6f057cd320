package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.Changelog.Written;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// One change, or a stop and a start without one.
///
/// @param engine that was changed
/// @param planSeconds that `plan --diff` took; not a number without
/// @param silence the longest time without any result, in seconds
/// @param silenceOfAPartition the longest time without a result in some partition, in seconds
/// @param comparedMillis of the start, for reading and comparing the recorded plan; not a number
///   without
/// @param written to the changelog from the stop to the end of the time that is measured; null if
///   that is not known
/// @param diskBytes that the process wrote to disks from its start to then
/// @param from the number of the first event whose result is of this change
/// @param to the number behind the last one
/// @param refused why the engine cannot do it; empty if it can
record Measured(
    String engine,
    Change change,
    double planSeconds,
    double silence,
    double silenceOfAPartition,
    double comparedMillis,
    @Nullable Written written,
    long diskBytes,
    long from,
    long to,
    String refused) {

  /// Returns a number of what was written to the changelog; not a number if that is not known.
  double changelog(ToDoubleFunction<Written> number) {
    return written == null ? Double.NaN : number.applyAsDouble(written);
  }
}
