package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.cluster.decide.MoveRequest;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.cluster.view.PlacementView;
import dev.millrace.spi.Clock;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Moves a task to a process, where it stays.
@Command(
    name = "move",
    mixinStandardHelpOptions = true,
    description = {
      "Has a task of an application go to a process, and waits until it is at work there. The task"
          + " goes on where it is until the process has its state. Nobody loses a record or"
          + " processes one twice.",
      "",
      "It stays there as long as that process lives, also if the load becomes uneven, or until that"
          + " is taken back with --undo. If the process ends or is drained, the task goes to"
          + " another one. With exchanges through memory all tasks move together, as the task"
          + " 'all'."
    })
final class MoveCommand implements Callable<Integer> {
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

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "PROCESS",
      description = "The name of a process, as 'millrace placement' shows it.")
  private @Nullable String process;

  @Option(names = "--undo", description = "Let the task be wherever the load is even.")
  private boolean undo;

  @Option(names = "--no-wait", description = "Do not wait until the task is there.")
  private boolean now;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (undo == (process != null)) {
      throw new ParameterException(
          spec.commandLine(), "Give either the process that is to have the task, or --undo.");
    }
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
    Requests requests =
        new Requests(
            found.called(application).storage(), found.log(), Clock.system(), Cluster::pause);
    if (process == null) {
      requests.move(number, null);
      out.println(
          "Task %s of '%s' may be in any process again."
              .formatted(PlacementView.name(number), application));
      return ExitCode.DONE;
    }
    MoveRequest request = request(before, number, process);
    requests.move(number, request);
    if (now) {
      out.println(
          "Task %s of '%s' goes to %s."
              .formatted(PlacementView.name(number), application, process));
      return ExitCode.DONE;
    }
    return await(found, number, request, out);
  }

  private MoveRequest request(PlacementView view, int number, String to) {
    Sign sign = view.said().get(to);
    if (sign == null || !view.living().contains(to)) {
      throw new UserException(
          ExitCode.USAGE,
          "Application '%s' has no process '%s' that runs. Those that do are %s. Nothing was changed."
              .formatted(application, to, String.join(", ", view.living())));
    }
    String why = obstacle(view, number, to);
    if (!why.isEmpty()) {
      throw new UserException(ExitCode.USAGE, why + " Nothing was changed.");
    }
    Seat seat = Objects.requireNonNull(view.seats().get(number));
    return new MoveRequest(to, sign.self().life(), seat.owner());
  }

  /// Returns why a process cannot be given a task; empty if it can.
  private String obstacle(PlacementView view, int number, String to) {
    if (view.isDrained(to)) {
      return "Process %s is drained, so it gets no tasks of '%s'. 'millrace drain %2$s NAME --undo' takes that back."
          .formatted(to, application);
    }
    if (!view.has(to, number)) {
      return "Process %s runs a version of '%s' that does not have task %s."
          .formatted(to, application, PlacementView.name(number));
    }
    return view.mayGet(to, number) ? "" : "Process %s is about to end.".formatted(to);
  }

  /// Says what is the case with the task, whenever that changes.
  private int await(Cluster found, int number, MoveRequest request, PrintWriter out)
      throws InterruptedException {
    String last = "";
    while (true) {
      PlacementView view = PlacementReport.of(found, application).view();
      if (isThere(view, number, request)) {
        out.println(
            "Task %s of '%s' is at work in %s, and stays there."
                .formatted(PlacementView.name(number), application, request.home()));
        return ExitCode.DONE;
      }
      requireHope(view, number, request);
      Seat seat = view.seats().getOrDefault(number, Seat.EMPTY);
      String state =
          "Task %s in %s: %s."
              .formatted(PlacementView.name(number), seat.owner(), view.state(number));
      if (!state.equals(last)) {
        out.println(state);
        out.flush();
        last = state;
      }
      Thread.sleep(DrainCommand.LOOK);
    }
  }

  private static boolean isThere(PlacementView view, int number, MoveRequest request) {
    Seat seat = view.seats().getOrDefault(number, Seat.EMPTY);
    return seat.owner().equals(request.home())
        && seat.heir().isEmpty()
        && view.lives(request.home(), request.life())
        && view.isAtWork(number);
  }

  /// Ends the command if the task will not get there.
  private void requireHope(PlacementView view, int number, MoveRequest request) {
    String why = "";
    if (!view.lives(request.home(), request.life())) {
      why = "Process %s has ended meanwhile, or shows no sign of life.".formatted(request.home());
    } else if (!request.equals(view.asked().get(number))) {
      why = "Meanwhile somebody has asked for something else, or taken this back.";
    } else {
      why = obstacle(view, number, request.home());
    }
    if (!why.isEmpty()) {
      throw new UserException(
          ExitCode.FAILED,
          "Task %s of '%s' does not go to %s. %s"
              .formatted(PlacementView.name(number), application, request.home(), why));
    }
  }
}
