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
      "What stands behind CLASS is for the application's run: the same flags as its own main takes,"
          + " --bootstrap HOST:PORT or --embedded among them. 'millrace run CLASS --help' lists"
          + " all."
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
