package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.Changelog.Written;
import dev.millrace.benchmarks.change.Measured.Rollback;
import dev.millrace.benchmarks.change.app.Programs;
import dev.millrace.benchmarks.change.peer.Assignment;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Another engine, in one process.
final class PeerEngine implements Engine {
  /// State is saved as a whole where an engine does that.
  private static final Duration STOP = Duration.ofMinutes(30);

  private static final Duration TOLD = Duration.ofMinutes(1);
  private static final String SAVED = "saved";
  private static final int THREADS = 2;
  private static final long CACHE_BYTES = 256L << 20;

  private final String name;
  private final String bootstrap;
  private final Path directory;
  private final Program program;
  private final List<Change> possible;
  private final List<String> changes = new ArrayList<>();
  private @Nullable Child child;
  private String version;
  private String settings = "";

  /// @param name of its process
  /// @param possible what it is asked for, in this order
  PeerEngine(
      String name, String bootstrap, Path directory, Program program, List<Change> possible) {
    this.name = name;
    this.bootstrap = bootstrap;
    this.directory = directory;
    this.program = program;
    this.possible = List.copyOf(possible);
    version = name;
  }

  @Override
  public String title() {
    return version;
  }

  @Override
  public String settings() {
    return settings;
  }

  @Override
  public List<Change> changes() {
    return possible;
  }

  @Override
  public double prepare(Change change) {
    return Double.NaN;
  }

  @Override
  public void stop() throws InterruptedException, TimeoutException {
    child().stop(STOP);
  }

  @Override
  public void start(Change change) throws InterruptedException, TimeoutException {
    if (change != Change.NONE) {
      changes.add(change.id());
    }
    Child started =
        Child.start(
            name,
            program,
            new Assignment(
                    bootstrap,
                    Programs.INPUT,
                    Programs.OUTPUT,
                    state(),
                    directory.resolve(SAVED),
                    THREADS,
                    CACHE_BYTES,
                    changes)
                .arguments(),
            directory);
    child = started;
    version = started.await("version", TOLD);
    settings = started.await("settings", TOLD);
  }

  @Override
  public void refuse(Change change) {
    changes.remove(change.id());
  }

  /// @throws UnsupportedOperationException always: it has no such command
  @Override
  public Rollback rollBack() {
    throw new UnsupportedOperationException(version + " rolls nothing back.");
  }

  @Override
  public double finish() {
    return Double.NaN;
  }

  @Override
  public Migration predicted() {
    return Migration.NONE;
  }

  /// Returns no number: it migrates nothing.
  @Override
  public double awaitMigrated() {
    return Double.NaN;
  }

  @Override
  public Duration cpu() {
    return child().cpu();
  }

  private Child child() {
    return Objects.requireNonNull(child);
  }

  @Override
  public void requireAlive() {
    child().requireAlive();
  }

  @Override
  public long writtenBytes() throws IOException {
    return child().writtenBytes()
        + Directories.bytes(Assignment.savepoints(directory.resolve(SAVED)));
  }

  @Override
  public double comparedMillis() {
    return Double.NaN;
  }

  @Override
  public void markChangelog() {}

  @Override
  public @Nullable Written writtenToChangelog(long fromNumber) {
    return null;
  }

  @Override
  public Path state() {
    return directory.resolve("state");
  }

  @Override
  public void close() {
    Child running = child;
    if (running != null) {
      running.close();
    }
  }
}
