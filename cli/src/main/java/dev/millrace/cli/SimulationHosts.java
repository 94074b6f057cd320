package dev.millrace.cli;

import dev.millrace.internal.state.rocksdb.RocksDiskConfig;
import dev.millrace.internal.state.rocksdb.RocksDisks;
import dev.millrace.testkit.disk.DirectoryHosts;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.sim.CrashSchedule;
import dev.millrace.testkit.sim.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// The hosts of simulated runs, which keep local state on models, or in RocksDB in a directory that
/// is removed at the end. Thread-safe.
final class SimulationHosts implements AutoCloseable {
  private static final RocksDiskConfig SMALL = new RocksDiskConfig(1 << 20, 1, 20);

  /// The values of `--disk`.
  enum Choice {
    MODEL,
    ROCKSDB,
    /// One seed in [#REAL_EVERY] on RocksDB.
    BOTH
  }

  /// How many seeds share one on RocksDB, which takes longer.
  static final int REAL_EVERY = 32;

  private final Choice choice;
  private final Path directory;
  private final AtomicLong runs = new AtomicLong();

  SimulationHosts(Choice choice) {
    this.choice = choice;
    try {
      directory = Files.createTempDirectory("millrace-simulate");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns whether the run of a seed has real disks.
  boolean real(long seed) {
    return switch (choice) {
      case MODEL -> false;
      case ROCKSDB -> true;
      case BOTH -> seed % REAL_EVERY == 0;
    };
  }

  /// Runs a seed on the model of the log.
  Scenario.Seen run(Scenario scenario, long seed, CrashSchedule schedule) {
    try (Hosts ofRun = hosts(seed)) {
      return scenario.run(seed, schedule, ofRun);
    }
  }

  /// Returns the hosts of a run, to be closed after it.
  Hosts hosts(long seed) {
    return real(seed)
        ? new DirectoryHosts(
            directory.resolve("run-" + runs.incrementAndGet()), home -> new RocksDisks(home, SMALL))
        : Hosts.models();
  }

  /// Every run has removed its own.
  @Override
  public void close() {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
