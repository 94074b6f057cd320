package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.view.PlacementView;
import dev.millrace.spi.Clock;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Takes all tasks from a process or from all processes of a host, which go on running.
@Command(
    name = "drain",
    mixinStandardHelpOptions = true,
    description = {
      "Has the tasks of a process, or of all processes of a host, go to other processes of the"
          + " application, and waits until they are there. Nobody loses a record or processes one"
          + " twice; the processes go on running without tasks, and get none.",
      "",
      "That stays so, also when the processes are started again, until it is taken back with"
          + " --undo; then they get their share of the tasks at once. 'millrace placement' shows"
          + " who is drained."
    })
final class DrainCommand implements Callable<Integer> {
  /// The pause between two looks at what has become of it.
  static final Duration LOOK = Duration.ofMillis(500);

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "APPLICATION", description = "The application.")
  private String application;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "1",
      paramLabel = "NAME",
      description = "The name of a process, as 'millrace placement' shows it, or of a host.")
  private String name;

  @Option(names = "--undo", description = "Let them have tasks again.")
  private boolean undo;

  @Option(names = "--no-wait", description = "Do not wait until the tasks are elsewhere.")
  private boolean now;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use((found, job) -> {
      PrintWriter out = spec.commandLine().getOut();
      int status = run(found, out);
      out.flush();
      return status;
    });
  }

  private int run(Cluster found, PrintWriter out) throws InterruptedException {
    PlacementView before = PlacementReport.of(found, application).view();
    if (meant(before).isEmpty() && !before.drained().contains(name)) {
      throw new UserException(
          ExitCode.USAGE,
          "Application '%s' has no process '%s', and none on a host of that name. 'millrace placement %1$s' shows its processes and their hosts. Nothing was changed."
              .formatted(application, name));
    }
    String storage = found.called(application).storage();
    new Requests(storage, found.log(), Clock.system(), Cluster::pause).drain(name, !undo);
    if (undo) {
      out.println("%s may have tasks of '%s' again.".formatted(name, application));
      return ExitCode.DONE;
    }
    if (now) {
      out.println("The tasks of '%s' leave %s.".formatted(application, name));
      return ExitCode.DONE;
    }
    return await(found, out);
  }

  private Set<String> meant(PlacementView view) {
    Set<String> meant = new TreeSet<>();
    view.said()
        .forEach((process, sign) -> {
          if (process.equals(name) || sign.self().host().equals(name)) {
            meant.add(process);
          }
        });
    return meant;
  }

  /// Says how many tasks are left, whenever there are fewer.
  private int await(Cluster found, PrintWriter out) throws InterruptedException {
    int last = Integer.MAX_VALUE;
    while (true) {
      PlacementView view = PlacementReport.of(found, application).view();
      SortedSet<Integer> left = new TreeSet<>();
      meant(view).forEach(process -> left.addAll(view.tasksOf(process)));
      if (left.isEmpty()) {
        out.println("%s has no tasks of '%s' any more.".formatted(name, application));
        return ExitCode.DONE;
      }
      if (!view.drained().contains(name)) {
        throw new UserException(
            ExitCode.FAILED,
            "Somebody has taken back meanwhile that %s is to have no tasks of '%s'."
                .formatted(name, application));
      }
      if (left.stream().noneMatch(view::mayGoElsewhere)) {
        throw new UserException(
            ExitCode.FAILED,
            "%s is to have no tasks of '%s', and has %d still: %s. No other process runs that may have them: the others are drained, or run a version that does not have these tasks. They stay where they are until one does; --undo takes this back."
                .formatted(
                    name,
                    application,
                    left.size(),
                    left.stream().map(PlacementView::name).collect(Collectors.joining(", "))));
      }
      if (left.size() < last) {
        out.println("%s has %d of its tasks still.".formatted(name, left.size()));
        out.flush();
        last = left.size();
      }
      Thread.sleep(LOOK);
    }
  }
}
