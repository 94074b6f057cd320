package dev.millrace.benchmarks.change;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.change.Changelog.Written;
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
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/// Millrace: a change is looked at with `millrace plan --diff` while the old program runs, and
/// accepted by the id that it names.
final class MillraceEngine implements Engine {
  static final String TITLE = "Millrace";

  private static final Duration STOP = Duration.ofMinutes(1);
  private static final Pattern ID = Pattern.compile("--change\\.accept=(\\w+)");

  /// Processor cores that a job uses; one of each of two containers.
  private static final int WORKERS = 2;

  private final String bootstrap;
  private final Path directory;
  private final Program planCommand;
  private final Ledger ledger;
  private final Changelog changelog;
  private final List<Child> containers = new ArrayList<>();
  private Class<? extends Programs.Program> program = Programs.Original.class;
  private String accepted = "";
  private int number = 1;
  private Map<TopicPartition, Long> marked = Map.of();

  /// @param planCommand the command `millrace`
  MillraceEngine(String bootstrap, Path directory, Program planCommand, Ledger ledger) {
    this.bootstrap = bootstrap;
    this.directory = directory;
    this.planCommand = planCommand;
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
    return List.of(
        Change.ADD_OPERATOR,
        Change.ADD_FIELD,
        Change.RENAME_OPERATOR,
        Change.WIDEN_FIELD,
        Change.REMOVE_OPERATOR);
  }

  private static Class<? extends Programs.Program> changed(
      Class<? extends Programs.Program> program, Change change) {
    return switch (change) {
      case NONE -> program;
      case ADD_OPERATOR -> Programs.OperatorAdded.class;
      case ADD_FIELD -> Programs.FieldAdded.class;
      case RENAME_OPERATOR -> Programs.OperatorRenamed.class;
      case WIDEN_FIELD -> Programs.FieldWidened.class;
      case REMOVE_OPERATOR -> Programs.OperatorRemoved.class;
      case ROLLING -> Programs.FieldAddedLast.class;
    };
  }

  @Override
  public double prepare(Change change) throws IOException, InterruptedException {
    Command diff =
        Command.run(
            planCommand,
            List.of(
                "plan", "--diff", "--bootstrap", bootstrap, changed(program, change).getName()));
    if (diff.status() != 0) {
      throw new IllegalStateException(
          "millrace plan --diff ended with status %d: %s".formatted(diff.status(), diff.out()));
    }
    Matcher id = ID.matcher(diff.out());
    accepted = id.find() ? Objects.requireNonNull(id.group(1)) : "";
    if (accepted.isEmpty() != (change == Change.NONE)) {
      throw new IllegalStateException(
          "millrace plan --diff, where the change is '%s': %s"
              .formatted(change.words(), diff.out()));
    }
    return diff.seconds();
  }

  @Override
  public void start(Change change) {
    program = changed(program, change);
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
            Integer.toString(container),
            Integer.toString(number),
            Integer.toString(WORKERS / number),
            accepted),
        directory);
  }

  @Override
  public void stop() throws InterruptedException, TimeoutException {
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
    program = changed(program, change);
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
