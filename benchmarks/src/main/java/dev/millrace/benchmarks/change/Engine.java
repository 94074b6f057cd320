package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.Changelog.Written;
import dev.millrace.benchmarks.change.Measured.Rollback;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// An engine whose program is changed: how it is stopped and started. Used by one thread.
interface Engine extends AutoCloseable {
  /// Returns its name and version, once it was started.
  String title();

  /// Returns what is set otherwise than by default.
  String settings();

  /// Returns what it can be asked for, in this order; one that it may fail at is the last.
  List<Change> changes();

  /// Does what comes before the stop, and returns how long that took in seconds; not a number if
  /// nothing does.
  double prepare(Change change) throws IOException, InterruptedException;

  /// Stops it in an orderly way.
  void stop() throws InterruptedException, TimeoutException;

  /// Starts the program with one more change, or as it was.
  void start(Change change) throws InterruptedException, TimeoutException;

  /// Takes a change back at which the start failed.
  void refuse(Change change);

  /// Says that the change before is rolled back, and returns how long that took, without the time
  /// until there are results; the engine is stopped and started then.
  ///
  /// @throws UnsupportedOperationException if it cannot be asked for that
  Rollback rollBack() throws IOException, InterruptedException;

  /// Ends the change such that it cannot be rolled back, and returns the seconds until all of the
  /// engine works as if it had always been so; not a number if there is nothing to end.
  double finish() throws IOException, InterruptedException, TimeoutException;

  /// Returns what was said of a migration before the last change, which is not numbers if nothing
  /// was.
  Migration predicted();

  /// Waits until all values are migrated, and returns the seconds since the last start.
  double awaitMigrated() throws InterruptedException, TimeoutException;

  /// Returns the processor time that it has used since its start.
  Duration cpu();

  /// @throws IllegalStateException if it runs no more
  void requireAlive();

  /// Returns the bytes that it has written to disks since its start, and those of what it has saved
  /// as a whole for it.
  long writtenBytes() throws IOException;

  /// Returns the milliseconds in which the start compared the plans; not a number if it does not.
  double comparedMillis();

  /// Remembers where its changelog ends.
  void markChangelog();

  /// Returns what was written to the changelog since [#markChangelog]; null if it has none, or it
  /// is not known.
  ///
  /// @param fromNumber the first event whose result was missing then
  @Nullable Written writtenToChangelog(long fromNumber);

  /// Where its state is.
  Path state();

  @Override
  void close();
}
