package dev.millrace.benchmarks.change;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.change.Changelog.Written;
import dev.millrace.benchmarks.change.Commands.Difference;
import dev.millrace.benchmarks.change.Measured.Rollback;
import dev.millrace.benchmarks.change.app.Programs;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.LauncherOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/// Millrace: a change is looked at with `millrace plan --diff` while the old program runs, and
/// accepted by the id that it names.
final class MillraceEngine implements Engine {
  static final String TITLE = "Millrace";

  private static final Duration STOP = Duration.ofMinutes(1);
  private static final Duration FINALIZED = Duration.ofMinutes(2);
  private static final Duration TOLD = Duration.ofMinutes(1);
  private static final Duration MIGRATED = Duration.ofHours(4);
  private static final String ROLLOUT = "rollout";
  private static final String MIGRATING = "migrating";

  /// Processor cores that a job uses; one of each of two containers.
  private static final int WORKERS = 2;

  private final String bootstrap;
  private final Path directory;
  private final Commands commands;
  private final Ledger ledger;
  private final Changelog changelog;
  private final List<Child> containers = new ArrayList<>();
  private Class<? extends Programs.Program> program = Programs.Original.class;
  private Class<? extends Programs.Program> former = program;
  private String accepted = "";
  private Migration predicted = Migration.NONE;
  private long startedNanos;
  private int number = 1;
  private double commandStart = Double.NaN;
  private Map<TopicPartition, Long> marked = Map.of();

  /// @param millrace the command `millrace`
  MillraceEngine(String bootstrap, Path directory, Program millrace, Ledger ledger) {
    this.bootstrap = bootstrap;
    this.directory = directory;
    commands = new Commands(bootstrap, millrace);
    this.ledger = ledger;
    changelog = new Changelog(bootstrap, Programs.APPLICATION + "-changelog");
  }

  @Override
  public String title() {
    return TITLE;
  }

  @Override
  public String settings() {
    return "%s; all but %d workers by default".formatted(BuildVersion.text(), WORKERS);
  }

  @Override
  public List<Change> changes() {
    return Stream.of(Change.values()).filter(each -> each != Change.NONE).toList();
  }

  private Class<? extends Programs.Program> changed(Change change) {
    return switch (change) {
      case NONE, UNMIGRATED -> program;
      case ADD_OPERATOR -> Programs.OperatorAdded.class;
      case ADD_FIELD -> Programs.FieldAdded.class;
      case RENAME_OPERATOR -> Programs.OperatorRenamed.class;
      case WIDEN_FIELD -> Programs.FieldWidened.class;
      case REMOVE_OPERATOR -> Programs.OperatorRemoved.class;
      case ROLLING -> Programs.FieldAddedLast.class;
      case MIGRATE, MIGRATE_AGAIN -> Programs.Migrated.class;
      case ROLL_BACK -> former;
      case MIGRATE_ONE_WAY -> Programs.MigratedOneWay.class;
    };
  }

  private void become(Change change) {
    Class<? extends Programs.Program> changed = changed(change);
    former = change.isUnchanged() ? former : program;
    program = changed;
  }

  @Override
  public double prepare(Change change) throws IOException, InterruptedException {
    if (change == Change.ROLL_BACK) {
      accepted = "";
      predicted = Migration.NONE;
      commandStart = commands.start();
      return Double.NaN;
    }
    Difference difference = commands.difference(changed(change));
    accepted = difference.id();
    predicted = difference.predicted();
    if (accepted.isEmpty() != change.isUnchanged()) {
      throw new IllegalStateException(
          "millrace plan --diff, where the change is '%s', names the id '%s'."
              .formatted(change.words(), accepted));
    }
    return difference.seconds();
  }

  @Override
  public Rollback rollBack() throws IOException, InterruptedException {
    return new Rollback(Double.NaN, commands.rollBack(), commandStart);
  }

  @Override
  public double finish() throws IOException, InterruptedException, TimeoutException {
    boolean open = false;
    for (Child container : containers) {
      open |= Integer.parseInt(container.await(ROLLOUT, TOLD)) != 0;
    }
    if (!open) {
      return Double.NaN;
    }
    long begun = System.nanoTime();
    commands.finish();
    while (containers.stream().anyMatch(each -> each.number(ROLLOUT) != 0)) {
      requireAlive();
      if (System.nanoTime() - begun > FINALIZED.toNanos()) {
        throw new TimeoutException("Formats are not finalized within %s.".formatted(FINALIZED));
      }
      Thread.sleep(1);
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  @Override
  public Migration predicted() {
    return predicted;
  }

  @Override
  public double awaitMigrated() throws InterruptedException, TimeoutException {
    for (Child container : containers) {
      container.await(MIGRATING, TOLD);
    }
    long begun = System.nanoTime();
    while (containers.stream().anyMatch(each -> each.number(MIGRATING) != 0)) {
      requireAlive();
      if (System.nanoTime() - begun > MIGRATED.toNanos()) {
        throw new TimeoutException("Values are not migrated within %s.".formatted(MIGRATED));
      }
      Thread.sleep(10);
    }
    return (System.nanoTime() - startedNanos) / 1e9;
  }

  @Override
  public Duration cpu() {
    return containers.stream().map(Child::cpu).reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void start(Change change) {
    become(change);
    startedNanos = System.nanoTime();
    for (int container = 0; container < number; container++) {
      containers.add(start(container));
    }
  }

  /// @throws IllegalStateException always: it does what it has accepted
  @Override
  public void refuse(Change change) {
    throw new IllegalStateException("The start was refused: " + change.words());
  }

  private Child start(int container) {
    return Child.start(
        "millrace-" + container,
        Program.of(
            ChangedJob.class,
            Stream.concat(
                    Stream.of("-Xms64m", "-Xmx1g"),
                    LauncherOptions.ofThisProcess().options(true).stream())
                .toArray(String[]::new)),
        List.of(
            program.getName(),
            bootstrap,
            state().resolve(Integer.toString(container)).toString(),
            Integer.toString(WORKERS / number),
            accepted),
        directory);
  }

  @Override
  public void stop() throws InterruptedException, TimeoutException {
    containers.forEach(Child::askToEnd);
    for (Child container : containers) {
      container.stop(STOP);
    }
    containers.clear();
  }

  /// Divides the job into so many containers at its next start.
  void divide(int newNumber) {
    number = newNumber;
  }

  int containers() {
    return number;
  }

  /// Sets the program that containers get from now on.
  void roll(Change change) {
    become(change);
  }

  /// Stops a container and starts it with the new program.
  ///
  /// @return the number of the first event that it cannot have seen before
  long restart(int container) throws InterruptedException, TimeoutException {
    containers.get(container).stop(STOP);
    long next = ledger.events();
    containers.set(container, start(container));
    return next;
  }

  @Override
  public void requireAlive() {
    containers.forEach(Child::requireAlive);
  }

  @Override
  public long writtenBytes() {
    return containers.stream().mapToLong(Child::writtenBytes).sum();
  }

  @Override
  public double comparedMillis() {
    return containers.stream().mapToLong(each -> each.number("compared")).max().orElse(0) / 1e3;
  }

  @Override
  public void markChangelog() {
    marked = changelog.ends();
  }

  @Override
  public Written writtenToChangelog(long fromNumber) {
    Map<TopicPartition, Long> ends = changelog.ends();
    return changelog.between(marked, ends, ledger.keysFrom(fromNumber));
  }

  @Override
  public Path state() {
    return directory.resolve("state");
  }

  @Override
  public void close() {
    containers.forEach(Child::close);
    changelog.close();
  }
}
