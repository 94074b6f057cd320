package dev.millrace.examples.change;

import dev.millrace.examples.crash.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// An application that is changed while visits come, one container after the other, and whose
/// processes are killed at drawn moments of each change.
final class ChangeRun implements AutoCloseable {
  private static final int STARTING_MILLIS = 3_000;
  private static final int ENDING_MILLIS = 300;
  private static final int LIFE_MILLIS = 1_500;

  /// How a process that is to be replaced ends.
  private enum End {
    ASKED,
    KILLED,
    KILLED_WHILE_IT_ENDS
  }

  private final Random random;
  private final Containers containers;
  private final Version[] versions = new Version[Containers.COUNT];
  private final Path[] rollouts = new Path[Containers.COUNT];
  private final RecordedPlans plans;
  private final List<RecordedPlans.Moment> starts = new ArrayList<>();
  private final List<Halting.Point> commands = new ArrayList<>();
  private final List<End> ends = new ArrayList<>();
  private final List<String> table = new ArrayList<>();
  private final List<String> kills = new ArrayList<>();
  private int killed;
  private Version current = Version.FIRST;

  ChangeRun(Path directory, long seed) throws Exception {
    random = new Random(seed);
    containers = new Containers(directory, seed);
    plans = new RecordedPlans(containers.bootstrap());
    for (int container = 0; container < Containers.COUNT; container++) {
      start(container, Version.FIRST);
    }
    containers.awaitResults(false);
  }

  /// Draws without putting back, until all were drawn.
  private <T> T next(List<T> deck, T[] all) {
    if (deck.isEmpty()) {
      deck.addAll(Arrays.asList(all));
      Collections.shuffle(deck, random);
    }
    return deck.removeLast();
  }

  /// Rolls a version out, and finalizes it.
  void change(Version to) throws Exception {
    Version from = current;
    containers.results().begin(from, to);
    rollOut(from, to);
    containers.results().end(to);
    deploy("finalize");
    containers.await(
        "finalized change in all containers",
        () -> Stream.of(rollouts).allMatch(file -> said(file).equals("0.0\n")));
    current = to;
    containers.awaitResults(to.hasRooms());
    row(from + " to " + to);
  }

  /// Rolls a version out, and the one before it back again.
  void changeAndRollBack(Version to) throws Exception {
    Version from = current;
    containers.results().begin(from, to);
    rollOut(from, to);
    deploy("rollback");
    for (int container : order()) {
      // Nothing starts with the new version any more, which would be accepted once more.
      containers.live(random.nextInt(LIFE_MILLIS));
      stop(container);
      start(container, from);
    }
    killSomebody();
    containers.results().end(from);
    containers.awaitResults(from.hasRooms());
    row(from + " to " + to + " and back");
  }

  /// A version that must be refused is started while the containers work.
  ///
  /// @param said what the message must contain
  void refused(Version to, String... said) {
    for (int container = 0; container < Containers.COUNT; container++) {
      containers.refused(process(container, to, containers.file("refused")), said);
    }
    containers.awaitResults(current.hasRooms());
    row(current + " to " + to + ": refused");
  }

  private List<Integer> order() {
    List<Integer> order = new ArrayList<>(List.of(0, 1));
    Collections.shuffle(order, random);
    return order;
  }

  private void rollOut(Version from, Version to) throws Exception {
    List<Integer> order = order();
    stop(order.getFirst());
    startAtFirst(order.getFirst(), from, to);
    killSomebody();
    stop(order.getLast());
    start(order.getLast(), to);
    if (random.nextBoolean()) {
      containers.live(random.nextInt(STARTING_MILLIS));
      kill(order.getLast(), "starting");
      start(order.getLast(), to);
    }
    killSomebody();
    containers.await("recorded plan", plans::isRecorded);
  }

  /// The first start of a version records its plan, and is killed at a drawn moment of that.
  private void startAtFirst(int container, Version from, Version to) throws Exception {
    RecordedPlans.Moment moment = next(starts, RecordedPlans.Moment.values());
    plans.mark();
    start(container, to);
    if (moment == RecordedPlans.Moment.NEVER) {
      return;
    }
    plans.await(moment, STARTING_MILLIS / 2, random);
    kill(container, "starting, " + moment);
    kills.add("then its plan was " + (plans.isRecorded() ? "recorded" : "not recorded"));
    if (random.nextBoolean()) {
      start(container, from);
      killSomebody();
      stop(container);
    }
    start(container, to);
  }

  /// Lets both work, and kills one or none.
  private void killSomebody() {
    containers.live(random.nextInt(LIFE_MILLIS));
    int container = random.nextInt(2 * Containers.COUNT);
    if (container < Containers.COUNT) {
      boolean isOnlyVersion = Stream.of(versions).distinct().count() == 1;
      kill(container, isOnlyVersion ? "one version runs" : "both versions run");
      start(container, versions[container]);
    }
  }

  private void stop(int container) throws InterruptedException {
    switch (next(ends, End.values())) {
      case ASKED -> containers.end(container);
      case KILLED -> kill(container, "at work");
      case KILLED_WHILE_IT_ENDS -> {
        containers.process(container).ask();
        Thread.sleep(random.nextInt(ENDING_MILLIS));
        kill(container, "ending");
      }
    }
  }

  private void kill(int container, String when) {
    containers.kill(container);
    kills.add(container + " " + when);
    killed++;
  }

  private void start(int container, Version version) {
    rollouts[container] = containers.file("rollout");
    versions[container] = version;
    containers.started(container, process(container, version, rollouts[container]));
  }

  private JavaProcess process(int container, Version version, Path rollout) {
    List<String> arguments = new ArrayList<>(List.of(version.toString(), rollout.toString()));
    arguments.addAll(containers.settings(container));
    return new JavaProcess("160m", containers.file("errors"), ChangedJob.class, arguments);
  }

  /// Runs the command, which is killed at a drawn point first.
  private void deploy(String what) {
    Halting.Point point = next(commands, Halting.Point.values());
    if (point != Halting.Point.NOWHERE) {
      containers.deploy(what, point);
      kills.add(what + ", " + point);
      killed++;
    }
    containers.deploy(what, Halting.Point.NOWHERE);
  }

  private static String said(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void row(String change) {
    table.add("  %-45s %s".formatted(change, String.join("; ", kills)));
    kills.clear();
  }

  /// From now on visits have weights that a version before [Version#WIDENED] could not hold.
  void enlarge() {
    containers.load().enlarge();
  }

  /// Has a container lose its disk, ends the visits, and compares everything.
  void end() throws Exception {
    int container = random.nextInt(Containers.COUNT);
    kill(container, "at work, and its disk is lost");
    containers.loseDisk(container);
    start(container, current);
    containers.awaitResults(current.hasRooms());
    containers.endAll(current.hasRooms());
    row("end");
  }

  /// What was done, a line for each change.
  String report() {
    return "%d visits; %s; %d kills%n%s"
        .formatted(
            containers.load().count(), containers.results(), killed, String.join("\n", table));
  }

  int killed() {
    return killed;
  }

  @Override
  public void close() throws Exception {
    plans.close();
    containers.close();
  }
}
