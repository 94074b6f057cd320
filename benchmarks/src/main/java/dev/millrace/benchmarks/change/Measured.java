package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.Changelog.Written;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// One change, or a stop and a start without one.
///
/// @param engine that was changed
/// @param times what took how long
/// @param written to the changelog from the stop to the end of the time that is measured; null if
///   that is not known
/// @param diskBytes that the process wrote to disks from its start to then
/// @param finalizing seconds from the call of `deploy finalize` until all containers write the new
///   formats; not a number if there was nothing to finalize
/// @param cpuPerMillion seconds of processors that the engine used for a million records of work
///   behind the change; not a number where none was measured
/// @param predicted what `plan --diff` said of a migration
/// @param migrating seconds from the start until all values were migrated; not a number where that
///   was not awaited
/// @param from the number of the first event whose result is of this change
/// @param refused why the engine cannot do it; empty if it can
record Measured(
    String engine,
    Change change,
    Times times,
    @Nullable Written written,
    long diskBytes,
    double finalizing,
    double cpuPerMillion,
    Migration predicted,
    double migrating,
    long from,
    String refused) {

  /// How long something took; not a number where there was no such thing.
  ///
  /// @param plan seconds of `plan --diff`
  /// @param silence the longest time without any result, in seconds
  /// @param silenceOfAPartition the longest time without a result in some partition, in seconds
  /// @param comparedMillis of the start, for reading and comparing the recorded plan
  /// @param rollback of the program
  record Times(
      double plan,
      double silence,
      double silenceOfAPartition,
      double comparedMillis,
      Rollback rollback) {}

  /// A return to the program before.
  ///
  /// @param all seconds from the call of the command until each partition has a result of the
  ///   program before
  /// @param command seconds of the command
  /// @param start seconds of a command that does nothing: the start of a JVM
  record Rollback(double all, double command, double start) {
    static final Rollback NONE = new Rollback(Double.NaN, Double.NaN, Double.NaN);

    Rollback withAll(double seconds) {
      return new Rollback(seconds, command, start);
    }

    double withoutStart() {
      return all - start;
    }
  }

  /// Returns a number of what was written to the changelog; not a number if that is not known.
  double changelog(ToDoubleFunction<Written> number) {
    return written == null ? Double.NaN : number.applyAsDouble(written);
  }
}
