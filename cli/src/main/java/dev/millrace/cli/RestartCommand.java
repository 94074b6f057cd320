package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.decide.RestartRequest;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.cluster.view.PlacementView;
import dev.millrace.spi.Clock;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Has the processes of an application restart, one after the other.
@Command(
    name = "restart",
    mixinStandardHelpOptions = true,
    description = {
      "Has the processes of an application restart, one after the other. Each lets others have its"
          + " tasks, which go on meanwhile, and ends with status 6, so that what supervises it"
          + " starts it again: 'millrace run --containers N' does, systemd with Restart=on-failure"
          + " or always, and Kubernetes. Once it is back, has tasks and all tasks are at work, the"
          + " next one follows.",
      "",
      "It stops if a process does not come back within the time of --patience; the tasks are with"
          + " the others then, and those that are left have not been restarted."
    })
final class RestartCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "APPLICATION", description = "The application.")
  private String application;

  @SuppressWarnings("unused") // there is no other way yet, and it says what happens
  @Option(names = "--rolling", required = true, description = "One after the other.")
  private boolean rolling;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description =
          "How long a process waits for others to have its tasks, before it ends all the same; how"
              + " long it may take to come back; and how long to have its tasks again. Default:"
              + " ${DEFAULT-VALUE}.")
  private int patienceSeconds = 120;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use((found, job) -> {
      new Restart(found, spec.commandLine().getOut()).all();
      return ExitCode.DONE;
    });
  }

  /// The restart of one application.
  private final class Restart {
    private final Cluster found;
    private final PrintWriter out;
    private final Requests requests;
    private final Duration patience = Duration.ofSeconds(patienceSeconds);
    private final List<String> left = new ArrayList<>();

    Restart(Cluster found, PrintWriter out) {
      this.found = found;
      this.out = out;
      String storage = found.called(application).storage();
      requests = new Requests(storage, found.log(), Clock.system(), Cluster::pause);
    }

    /// Restarts who coordinates last, so that the right to do so changes hands seldom.
    void all() throws InterruptedException {
      PlacementView before = look();
      left.addAll(before.living());
      left.sort(Comparator.comparing(before::coordinates));
      int count = left.size();
      while (!left.isEmpty()) {
        String process = left.removeFirst();
        one(process, life(before, process));
      }
      say(count == 1 ? "1 process was restarted." : count + " processes were restarted.");
    }

    private PlacementView look() {
      return PlacementReport.of(found, application).view();
    }

    private static long life(PlacementView view, String process) {
      Sign sign = view.said().get(process);
      return sign == null ? 0 : sign.self().life();
    }

    private void say(String what) {
      out.println(what);
      out.flush();
    }

    private void one(String process, long life) throws InterruptedException {
      PlacementView before = look();
      boolean had = !before.tasksOf(process).isEmpty();
      if (before.lives(process, life)) {
        requests.restart(process, new RestartRequest(life, patience.toMillis()));
        awaitEnd(process, life);
      }
      PlacementView back = awaitReturn(process, life);
      Sign sign = Objects.requireNonNull(back.said().get(process));
      say("%s is back: process %d.".formatted(process, sign.self().running().pid()));
      awaitWork(process, had);
    }

    private void awaitEnd(String process, long life) throws InterruptedException {
      long end = System.nanoTime() + 2 * patience.toNanos();
      boolean hurried = false;
      int last = Integer.MAX_VALUE;
      for (PlacementView view = look(); view.lives(process, life); view = look()) {
        SortedSet<Integer> tasks = view.tasksOf(process);
        if (tasks.size() < last) {
          last = tasks.size();
          say("%s has %d tasks still.".formatted(process, last));
        }
        if (!hurried && last > 0 && tasks.stream().noneMatch(view::mayGoElsewhere)) {
          hurried = true;
          requests.restart(process, new RestartRequest(life, 0));
          say(
              "No other process may have its tasks (%s). They stand still until it is back."
                  .formatted(names(tasks)));
        }
        if (System.nanoTime() > end) {
          requests.restart(process, null);
          throw stopped(process + " has not ended");
        }
        Thread.sleep(DrainCommand.LOOK);
      }
      say(process + " has ended.");
    }

    private PlacementView awaitReturn(String process, long life) throws InterruptedException {
      long end = System.nanoTime() + patience.toNanos();
      PlacementView view = look();
      while (!view.living().contains(process) || view.lives(process, life)) {
        if (System.nanoTime() > end) {
          throw stopped(
              process
                  + " has not come back. Its tasks are with others as far as they may have them");
        }
        Thread.sleep(DrainCommand.LOOK);
        view = look();
      }
      return view;
    }

    /// @param had whether it had tasks before
    private void awaitWork(String process, boolean had) throws InterruptedException {
      long end = System.nanoTime() + patience.toNanos();
      PlacementView view = look();
      while (!isDone(view, process, had)) {
        if (System.nanoTime() > end) {
          throw stopped(
              "%s is back with %d tasks, and not all tasks are at work again%s"
                  .formatted(process, view.tasksOf(process).size(), states(view)));
        }
        Thread.sleep(DrainCommand.LOOK);
        view = look();
      }
      say("%s has %d tasks again.".formatted(process, view.tasksOf(process).size()));
    }

    private static boolean isDone(PlacementView view, String process, boolean had) {
      boolean has = !had || view.isDrained(process) || !view.tasksOf(process).isEmpty();
      boolean gets = view.seats().values().stream().anyMatch(seat -> seat.heir().equals(process));
      return has && !gets && waiting(view).isEmpty();
    }

    private static List<Integer> waiting(PlacementView view) {
      return view.seats().keySet().stream().filter(task -> !view.isAtWork(task)).toList();
    }

    private static String states(PlacementView view) {
      StringBuilder states = new StringBuilder();
      for (int task : waiting(view)) {
        Seat seat = view.seats().getOrDefault(task, Seat.EMPTY);
        states.append(
            "; task %s in %s: %s"
                .formatted(PlacementView.name(task), seat.owner(), view.state(task)));
      }
      return states.toString();
    }

    private static String names(Iterable<Integer> tasks) {
      List<String> names = new ArrayList<>();
      tasks.forEach(task -> names.add(PlacementView.name(task)));
      return String.join(", ", names);
    }

    private UserException stopped(String why) {
      return new UserException(
          ExitCode.FAILED,
          "%s, within %d s (--patience).%s"
              .formatted(
                  why,
                  patience.toSeconds(),
                  left.isEmpty() ? "" : " Not restarted: " + String.join(", ", left) + "."));
    }
  }
}
