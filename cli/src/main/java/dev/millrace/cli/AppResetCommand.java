package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.engine.reset.LastCommits;
import dev.millrace.internal.engine.reset.Reset;
import dev.millrace.internal.engine.reset.ResetException;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Split;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Resets an application to other positions, with its state or without.
@Command(
    name = "reset",
    mixinStandardHelpOptions = true,
    description = {
      "Resets a stopped application: at its next start it reads from other positions, without its"
          + " state or with it (--keep-state). The results that it has written are kept.",
      "",
      "Without --yes, it only prints what would be done.",
      "",
      "A table needs all of its earlier records. Without state, tables are therefore read from the"
          + " start that their sources declare; with --keep-state, they continue at their"
          + " positions. Only tables that --topics or an offset names are moved.",
    })
final class AppResetCommand implements Callable<Integer> {
  private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final BelongingsOptions belongings = new BelongingsOptions();

  @Parameters(paramLabel = "NAME", description = "The application.")
  private String name = "";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "POSITION",
      description = {
        "earliest; latest; a time such as 2013-01-01T05:00:00Z; group, for the committed offsets of"
            + " its consumer group; or one or more TOPIC:PARTITION:OFFSET, separated by commas."
      })
  private String to = "";

  @Option(
      names = "--topics",
      split = ",",
      paramLabel = "TOPIC",
      description = "Reset only these input topics.")
  private List<String> topics = new ArrayList<>();

  @Option(
      names = "--keep-state",
      description = "Keep the state. Records that are read again change it again.")
  private boolean keepState;

  @Option(names = "--yes", description = "Reset the application.")
  private boolean yes;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    ResetTarget target = ResetTarget.parse(to);
    return cluster.use((found, job) -> {
      Cluster.Application application = found.application(name);
      if (application == null) {
        throw usage(
            "No application '%s' has run on cluster %s. 'millrace app list' shows the applications that have."
                .formatted(name, found.id()));
      }
      try (Reset reset =
          new Reset(application.called(), found.log(), Clock.system(), AppResetCommand::pause)) {
        return reset(found, application, job, reset, target);
      } catch (ResetException | PlanRefusedException e) {
        throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
      }
    });
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  private int reset(
      Cluster found,
      Cluster.Application application,
      JobConfig job,
      Reset reset,
      ResetTarget target)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Recorded recorded = reset.recorded();
    requireWhole(recorded);
    Belongings kept = belongings.of(found, application, job, out);
    kept.requireStopped("Nothing was changed.");
    LastCommits commits = reset.lastCommits();
    Map<Split, Long> positions = positions(found, application.storage(), target, recorded, commits);
    if (keepState) {
      commits.requireNotEnded(positions);
    }
    show(positions, commits, out);
    if (!keepState) {
      out.println((yes ? "Deleting" : "Would delete") + " the state of '" + name + "':");
      topics(application).forEach(topic -> out.println("  topic " + topic));
      kept.show(out);
    }
    if (!yes) {
      out.println("Nothing was changed. Run the command with --yes to do it.");
    } else if (keepState) {
      reset.bar();
      reset.move(positions);
      out.println("Done. The next start reads from these positions and keeps the state.");
    } else {
      reset.bar();
      reset.begin(positions);
      remove(found, application, kept);
      reset.finish(positions);
      out.println(
          "Done. The next start reads from these positions, without state. Run 'millrace app"
              + " collect --yes' on each other host to remove the state there.");
    }
    out.flush();
    return ExitCode.DONE;
  }

  private void requireWhole(Recorded recorded) {
    if (keepState && !recorded.start().finished()) {
      throw usage(
          "A reset of '%s' without its state was begun and not completed, so a part of the state may be deleted. Complete it first: run the reset again without --keep-state."
              .formatted(name));
    }
  }

  private Map<Split, Long> positions(
      Cluster found, String group, ResetTarget target, Recorded recorded, LastCommits commits) {
    Set<Split> known = known(found, recorded, commits);
    Set<String> read = new TreeSet<>();
    known.forEach(split -> read.add(split.stream()));
    for (String topic : topics) {
      if (!read.contains(topic)) {
        throw usage(
            "The application does not read the topic '%s'. It reads %s.".formatted(topic, read));
      }
    }
    Set<String> tables = recorded.plan() == null ? Set.of() : recorded.plan().tables();
    Set<Split> meant = new TreeSet<>(known);
    meant.removeIf(split ->
        topics.isEmpty() ? tables.contains(split.stream()) : !topics.contains(split.stream()));
    return target.resolve(found.log(), group, meant, known, keepState ? commits.ends() : Map.of());
  }

  /// Returns the partitions of topics that can be read from elsewhere: with state those that a task
  /// has read, without it all that there are by now.
  private Set<Split> known(Cluster found, Recorded recorded, LastCommits commits) {
    Set<String> streams = new TreeSet<>();
    commits.positions().keySet().forEach(split -> streams.add(split.stream()));
    if (!keepState && recorded.plan() != null) {
      streams.addAll(recorded.plan().inputs());
    }
    Set<Split> known = new TreeSet<>();
    Map<String, TopicInfo> existing = found.log().topics(streams);
    existing.forEach((topic, info) -> {
      for (int i = 0; i < info.partitions(); i++) {
        known.add(new Split(topic, i));
      }
    });
    if (keepState) {
      known.retainAll(commits.positions().keySet());
    }
    return known;
  }

  private void show(Map<Split, Long> positions, LastCommits commits, PrintWriter out) {
    out.println(
        "%s '%s' %s state:"
            .formatted(
                yes ? "Resetting" : "Would reset",
                name,
                keepState ? "and keep its" : "without its"));
    TextTable table = new TextTable("topic", "partition", "is at", "reads from", "");
    Map<Split, Long> before = new TreeMap<>(commits.positions());
    positions.forEach((split, to) ->
        table.add(
            split.stream(),
            Integer.toString(split.partition()),
            number(before.get(split)),
            number(to),
            difference(before.remove(split), to)));
    before.forEach((split, at) ->
        table.add(
            split.stream(),
            Integer.toString(split.partition()),
            number(at),
            keepState ? number(at) : "-",
            keepState ? "unchanged" : "starts where its source says"));
    table.print(out);
  }

  private static String number(@Nullable Long offset) {
    return offset == null ? "-" : String.format(Locale.ROOT, "%,d", offset);
  }

  private static String difference(@Nullable Long before, long to) {
    if (before == null || before == to) {
      return "";
    }
    return before > to
        ? "%s offsets are read again".formatted(number(before - to))
        : "%s offsets are skipped".formatted(number(to - before));
  }

  /// Returns the topics that are deleted. The topics with the start positions and with the signs of
  /// life are kept.
  private static List<String> topics(Cluster.Application application) {
    List<String> topics = new ArrayList<>();
    application.exchanges().forEach(topic -> topics.add(topic.name()));
    TopicInfo changelog = application.changelog();
    if (changelog != null) {
      topics.add(changelog.name());
    }
    return topics;
  }

  private void remove(Cluster found, Cluster.Application application, Belongings kept)
      throws InterruptedException {
    kept.remove();
    found.deleteGroup(application.storage());
    List<String> topics = topics(application);
    if (!topics.isEmpty()) {
      found.deleteTopics(topics);
    }
    Decisions decisions = found.decisions(application.storage());
    if (decisions != null) { // tasks that were split off had their state in the changelog
      new Requests(application.storage(), found.log(), Clock.system(), Cluster::pause)
          .forget(decisions.parts().keySet());
    }
  }

  private static UserException usage(String message) {
    return new UserException(ExitCode.USAGE, message);
  }
}
