package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.JobConfig;
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

/// Has an application read on from elsewhere, with what it keeps or without.
@Command(
    name = "reset",
    mixinStandardHelpOptions = true,
    description = {
      "Has a stopped application read on from elsewhere at its next start: without what it keeps,"
          + " or with it (--keep-state). What it has written stays.",
      "",
      "Without --yes it only says what would be done.",
      "",
      "Tables are nothing without their past: without state they are read from where their sources"
          + " say, and with it they go on, unless --topics or an offset names them.",
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
        "earliest, latest, a time such as 2013-01-01T05:00:00Z, group for the offsets that its"
            + " consumer group has, or one or more of TOPIC:PARTITION:OFFSET, separated by commas."
      })
  private String to = "";

  @Option(
      names = "--topics",
      split = ",",
      paramLabel = "TOPIC",
      description = "Only these of the topics that it reads.")
  private List<String> topics = new ArrayList<>();

  @Option(
      names = "--keep-state",
      description = "Go on with what it keeps. What is read again counts again.")
  private boolean keepState;

  @Option(names = "--yes", description = "Do it.")
  private boolean yes;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    ResetTarget target = ResetTarget.parse(to);
    return cluster.use((found, job) -> {
      try (Reset reset = new Reset(name, found.log(), new Time(), AppResetCommand::pause)) {
        return reset(found, job, reset, target);
      } catch (ResetException | PlanRefusedException e) {
        throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
      }
    });
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  private record Time() implements Clock {
    @Override
    public long millis() {
      return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
      return System.nanoTime();
    }
  }

  private int reset(Cluster found, JobConfig job, Reset reset, ResetTarget target)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Cluster.Application application = found.application(name);
    if (application == null) {
      throw usage(
          "No application '%s' has run on cluster %s: 'millrace app list' shows those that have."
              .formatted(name, found.id()));
    }
    Recorded recorded = reset.recorded();
    requireWhole(recorded);
    Belongings kept = belongings.of(found, application, job, out);
    kept.requireStopped("Nothing was changed.");
    LastCommits commits = reset.lastCommits();
    Map<Split, Long> positions = positions(found, target, recorded, commits);
    if (keepState) {
      commits.requireNotEnded(positions);
    }
    show(positions, commits, out);
    if (!keepState) {
      out.println((yes ? "Deleting" : "Would delete") + " what '" + name + "' keeps:");
      topics(application).forEach(topic -> out.println("  topic " + topic));
      kept.show(out);
    }
    if (!yes) {
      out.println("Nothing was changed. Say --yes to do it.");
    } else if (keepState) {
      reset.bar();
      reset.move(positions);
      out.println("Done. The next start goes on from there, with what the application keeps.");
    } else {
      reset.bar();
      reset.begin(positions);
      remove(found, application, kept);
      reset.finish(positions);
      out.println(
          "Done. The next start begins there, without state. State on other hosts is removed there"
              + " by 'millrace app collect --yes'.");
    }
    out.flush();
    return ExitCode.DONE;
  }

  private void requireWhole(Recorded recorded) {
    if (keepState && !recorded.start().finished()) {
      throw usage(
          "A reset of '%s' without its state was begun, so that may be removed in part. Only that can be ended now: run it again without --keep-state."
              .formatted(name));
    }
  }

  private Map<Split, Long> positions(
      Cluster found, ResetTarget target, Recorded recorded, LastCommits commits) {
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
    return target.resolve(found.log(), name, meant, known, keepState ? commits.ends() : Map.of());
  }

  /// The partitions of topics that can be read from elsewhere: with state those that a task has
  /// read, without it all that there are by now.
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
            keepState ? "stays" : "begins where its source says"));
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
        ? "%s offsets again".formatted(number(before - to))
        : "%s offsets are passed over".formatted(number(to - before));
  }

  /// Those that are removed; the one that says where to begin stays, and that which shows that the
  /// application exists.
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
    found.deleteGroup(name);
    List<String> topics = topics(application);
    if (!topics.isEmpty()) {
      found.deleteTopics(topics);
    }
  }

  private static UserException usage(String message) {
    return new UserException(ExitCode.USAGE, message);
  }
}
