package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.Millrace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Runs an application of the user's.
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an application until its input ends or it is stopped.",
      "",
      "The arguments after CLASS are settings of the run, such as --bootstrap HOST:PORT or"
          + " --embedded: the same that the application's own main method accepts. 'millrace run"
          + " CLASS --help' lists all of them."
    })
final class RunCommand implements Callable<Integer> {
  @Mixin private final ApplicationOptions application = new ApplicationOptions();

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

  @Override
  public Integer call() {
    Millrace.run(application.load(className), flags.toArray(String[]::new));
    return ExitCode.DONE;
  }
}
