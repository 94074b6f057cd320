package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.decide.SplitRequest;
import dev.millrace.internal.cluster.view.PlacementView;
import dev.millrace.spi.Clock;
import java.io.PrintWriter;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Splits a task in two.
@Command(
    name = "split",
    mixinStandardHelpOptions = true,
    description = {
      "Has a task of an application be split in two while it works, and waits until both are at"
          + " work. Each has half of the keys, and what was kept for them. Nobody loses a record or"
          + " processes one twice.",
      "",
      "The new task gets a number of its own, and a process as every task does. It gets its state"
          + " from the changelog of the old task, which goes on until the new one has it. Both read"
          + " all records of their partitions, and each passes those of the other by. A key is in"
          + " one task: if one key alone keeps the task busy, splitting it does not help.",
      "",
      "This cannot be taken back, and the program cannot get more tasks afterwards, as by one more"
          + " stage."
    })
final class SplitCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "APPLICATION", description = "The application.")
  private String application;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "1",
      paramLabel = "TASK",
      description = "The task, as 'millrace placement' shows it.")
  private String task;

  @Option(names = "--no-wait", description = "Do not wait until the task is split.")
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
    int number = PlacementReport.number(before, task);
    if (before.living().isEmpty()) {
      throw new UserException(
          ExitCode.USAGE,
          "No process of '%s' runs, and a task is split while it works. Start one first. Nothing was changed."
              .formatted(application));
    }
    if (before.isToBeSplit(number)) {
      throw new UserException(
          ExitCode.USAGE,
          "Task %s of '%s' is being split already. 'millrace placement' shows how far it is."
              .formatted(task, application));
    }
    Requests requests =
        new Requests(
            found.called(application).storage(), found.log(), Clock.system(), Cluster::pause);
    requests.split(number, true);
    if (now) {
      out.println("Task %s of '%s' is to be split.".formatted(task, application));
      return ExitCode.DONE;
    }
    return await(found, number, partsOf(before, number), requests, out);
  }

  private static SortedSet<Integer> partsOf(PlacementView view, int number) {
    SortedSet<Integer> parts = new TreeSet<>();
    view.parts()
        .forEach((part, of) -> {
          if (of.parent() == number) {
            parts.add(part);
          }
        });
    return parts;
  }

  /// Says what is the case with the new task, whenever that changes.
  private int await(
      Cluster found, int number, SortedSet<Integer> before, Requests requests, PrintWriter out)
      throws InterruptedException {
    String last = "";
    while (true) {
      PlacementView view = PlacementReport.of(found, application).view();
      SplitRequest request = view.splits().get(number);
      if (request != null && !request.isOpen()) {
        requests.split(number, false);
        throw new UserException(
            ExitCode.FAILED,
            "Task %s of '%s' cannot be split. %s Nothing was changed."
                .formatted(task, application, request.refusal()));
      }
      SortedSet<Integer> parts = partsOf(view, number);
      parts.removeAll(before);
      if (parts.isEmpty() && request == null) {
        throw new UserException(
            ExitCode.FAILED,
            "Task %s of '%s' is not split: meanwhile somebody has taken that back."
                .formatted(task, application));
      }
      if (!parts.isEmpty() && view.isAtWork(parts.first())) {
        out.println(
            "Task %s of '%s' is split: half of its keys are in task %d, which is at work in %s."
                .formatted(task, application, parts.first(), view.owner(parts.first())));
        return ExitCode.DONE;
      }
      String state = parts.isEmpty() ? "" : state(view, parts.first());
      if (!state.equals(last)) {
        out.println(state);
        out.flush();
        last = state;
      }
      Thread.sleep(DrainCommand.LOOK);
    }
  }

  private static String state(PlacementView view, int part) {
    String owner = view.owner(part);
    return owner.isEmpty()
        ? "Task %d has no process yet.".formatted(part)
        : "Task %d in %s: %s.".formatted(part, owner, view.state(part));
  }
}
