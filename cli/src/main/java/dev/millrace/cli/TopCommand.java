package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.HttpConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
      "Shows which operators of a running application take the time of its workers, how many rows"
          + " go in and out of each, and what the workers do besides. Every container must be"
          + " started with --http.",
      "",
      "A token is that of millrace.yaml or of the variable MILLRACE_HTTP_TOKEN.",
    })
final class TopCommand implements Callable<Integer> {
  private static final int ALL_LINES = 10_000;

  @Parameters(paramLabel = "APPLICATION", description = "The name of the application.")
  private String application = "";

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      split = ",",
      description = {
        "Where the containers serve their metrics, one or more; http.host and http.port of the"
            + " configuration if not given."
      })
  private final List<String> addresses = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration, instead of millrace.yaml.")
  private @Nullable String config;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "How long each look takes; ${DEFAULT-VALUE} if not given.")
  private double seconds;

  @Option(names = "--once", description = "Look once, print a table, and end.")
  private boolean once;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (!(seconds >= 0.1 && seconds <= 3600)) {
      throw new ParameterException(spec.commandLine(), "--interval is from 0.1 to 3600 seconds.");
    }
    Duration interval = Duration.ofMillis(Math.round(seconds * 1_000));
    List<String> flags = config == null ? List.of() : List.of("--config=" + config);
    HttpConfig http = new ConfigLoader(Path.of(""), System.getenv()).load(flags).job().http();
    PrintWriter out = spec.commandLine().getOut();
    try (Containers containers = new Containers(application, known(http), http.token())) {
      List<Scrape> first = containers.scrape();
      if (first.isEmpty()) {
        throw new UserException(ExitCode.FAILED, String.join("\n", containers.silent()) + ".");
      }
      Thread.sleep(interval);
      if (once || !ProgressLine.onTerminal()) {
        print(containers, first, interval, out);
      } else {
        show(containers, first, interval, out);
      }
    }
    return ExitCode.DONE;
  }

  private List<String> known(HttpConfig http) {
    if (!addresses.isEmpty()) {
      return addresses;
    }
    if (http.port() <= 0) {
      throw new UserException(
          ExitCode.USAGE,
          "It is not known where the containers serve their metrics. Start them with --http PORT,"
              + " and give --http HOST:PORT[,HOST:PORT…] here.");
    }
    return List.of(http.host() + ":" + http.port());
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
    List<String> silent = containers.silent().stream().map(each -> each + ".").toList();
    if (now.isEmpty()) {
      return silent;
    }
    List<String> lines = new ArrayList<>(new TopLines(before, now).lines(most - silent.size()));
    lines.addAll(silent);
    return lines;
  }
}
