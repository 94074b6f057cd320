package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.Millrace;
import java.lang.management.ManagementFactory;
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

/// Runs an application of the user's.
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an application until its input ends or it is stopped.",
      "",
      "The arguments after CLASS are settings of the run, such as --bootstrap HOST:PORT or"
          + " --embedded: the same that the application's own main method accepts. 'millrace run"
          + " CLASS --help' lists all of them.",
      "",
      "With --containers N it runs as N processes that share the tasks. One that dies is started"
          + " again, and one that 'millrace restart' asks to; when this process is stopped, it"
          + " stops them. Give --http 0 if they are to serve metrics, so that each takes a free"
          + " port."
    })
final class RunCommand implements Callable<Integer> {
  private static final String CONTAINERS = "--containers";

  @Mixin private final ApplicationOptions application = new ApplicationOptions();

  @Option(
      names = CONTAINERS,
      paramLabel = "N",
      description = "How many processes to run; default: this one.")
  private int containers = 1;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "0",
      paramLabel = "CLASS",
      description = "The full name of a class that implements StreamApplication.")
  private String className;

  @Parameters(
      index = "1..*",
      paramLabel = "FLAG",
      description = "Settings of the run, such as --embedded or --http 8080.")
  private final List<String> flags = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (containers < 1) {
      throw new ParameterException(
          spec.commandLine(), "%s must be at least 1.".formatted(CONTAINERS));
    }
    if (containers > 1) {
      List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
      List<String> one = LocalContainers.command(options, Main.class, ofOne());
      return new LocalContainers(containers, one, System.out, System.err).run();
    }
    Millrace.run(application.load(className), flags.toArray(String[]::new));
    return ExitCode.DONE;
  }

  /// Returns the arguments of the whole command, without how many processes to run.
  private List<String> ofOne() {
    List<String> given = new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
    for (int i = 0; i < given.size(); i++) {
      if (given.get(i).startsWith(CONTAINERS + "=")) {
        given.remove(i);
        return given;
      }
      if (given.get(i).equals(CONTAINERS)) {
        given.subList(i, i + 2).clear();
        return given;
      }
    }
    return given;
  }
}
