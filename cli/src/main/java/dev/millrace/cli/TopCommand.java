package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows what is slow in a running application.
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how much of the workers' time each operator of a running application takes, how many"
          + " rows it reads and emits, and what else the workers do. Every container must be"
          + " started with --http. Containers that start after this command are not shown.",
      "",
      "If the containers require a token, it is http.token of millrace.yaml or the environment"
          + " variable MILLRACE_HTTP_TOKEN.",
    })
final class TopCommand implements Callable<Integer> {
  private static final int ALL_LINES = 10_000;

  @Parameters(paramLabel = "APPLICATION", description = "The name of the application.")
  private String application = "";

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      split = ",",
      description = {
        "One or more addresses where containers serve their metrics; default: the addresses of the"
            + " running containers, which are read from Kafka."
      })
  private final List<String> addresses = new ArrayList<>();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "Seconds between two updates; default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(names = "--once", description = "Print one table and exit.")
  private boolean once;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (!(seconds >= 0.1 && seconds <= 3600)) {
      throw new ParameterException(
          spec.commandLine(), "--interval must be from 0.1 to 3600 seconds.");
    }
    Duration interval = Duration.ofMillis(Math.round(seconds * 1_000));
    String token = cluster.job().http().token();
    if (addresses.isEmpty()) {
      look(Containers.of(application, signs(), host(), token), interval);
    } else {
      look(Containers.at(application, addresses, token), interval);
    }
    return ExitCode.DONE;
  }

  /// Returns the last sign of life of each container.
  private List<ProcessSign> signs() throws InterruptedException {
    List<ProcessSign> signs = new ArrayList<>();
    cluster.use((kafka, job) -> {
      Cluster.Application found = kafka.application(application);
      if (found == null) {
        throw new UserException(
            ExitCode.USAGE,
            "No application '%s' has run on this cluster. 'millrace app list' shows the applications that have."
                .formatted(application));
      }
      signs.addAll(found.containers().values());
      return ExitCode.DONE;
    });
    if (signs.stream().allMatch(ProcessSign::released)) {
      throw new UserException(
          ExitCode.FAILED, "No container of '%s' is running.".formatted(application));
    }
    return signs;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException _) {
      return "";
    }
  }

  private void look(Containers asked, Duration interval) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Containers containers = asked) {
      List<Scrape> first = containers.scrape();
      if (first.isEmpty()) {
        throw new UserException(ExitCode.FAILED, String.join("\n", containers.silent()));
      }
      Thread.sleep(interval);
      if (once || !ProgressLine.onTerminal()) {
        print(containers, first, interval, out);
      } else {
        show(containers, first, interval, out);
      }
    }
  }

  /// One table below the other.
  private void print(Containers containers, List<Scrape> first, Duration interval, PrintWriter out)
      throws InterruptedException {
    List<Scrape> before = first;
    while (true) {
      List<Scrape> now = containers.scrape();
      lines(containers, before, now, ALL_LINES).forEach(out::println);
      out.flush();
      if (once) {
        return;
      }
      out.println();
      before = now.isEmpty() ? before : now;
      Thread.sleep(interval);
    }
  }

  /// One in place of the other, until the user ends it.
  private void show(Containers containers, List<Scrape> first, Duration interval, PrintWriter out)
      throws InterruptedException {
    List<Scrape> before = first;
    try (Screen screen = new Screen(out)) {
      Thread restore = new Thread(screen::close, "top-screen");
      Runtime.getRuntime().addShutdownHook(restore);
      while (true) {
        List<Scrape> now = containers.scrape();
        screen.show(lines(containers, before, now, Screen.lines()));
        before = now.isEmpty() ? before : now;
        Thread.sleep(interval);
      }
    }
  }

  private static List<String> lines(
      Containers containers, List<Scrape> before, List<Scrape> now, int most) {
    List<String> silent = containers.silent();
    if (now.isEmpty()) {
      return silent;
    }
    List<String> lines = new ArrayList<>(new TopLines(before, now).lines(most - silent.size()));
    lines.addAll(silent);
    return lines;
  }
}
