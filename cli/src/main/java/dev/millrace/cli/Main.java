package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.spi.LogException;
import dev.millrace.spi.settings.ConfigException;
import java.io.PrintWriter;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `millrace`. Its status is one of [ExitCode].
@Command(
    name = "millrace",
    description = "Stateful stream processing on Kafka, as a library.",
    versionProvider = BuildVersionProvider.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {"", "'millrace COMMAND --help' describes a command."},
    subcommands = {
      DemoCommand.class,
      NewCommand.class,
      RunCommand.class,
      PlanCommand.class,
      TopCommand.class,
      ConfigCommand.class,
      TopicsCommand.class,
      DeadLettersCommand.class,
      AppCommand.class,
      DeployCommand.class,
      PlacementCommand.class,
      DrainCommand.class,
      MoveCommand.class,
      SplitCommand.class,
      RestartCommand.class,
      KafkaCommand.class,
      KubernetesCommand.class,
      YarnCommand.class,
      SimulateCommand.class,
      BenchCommand.class,
    })
public final class Main implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /// Returns the command with all its parts, ready to be executed.
  static CommandLine commandLine() {
    CommandLine command =
        new CommandLine(new Main())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler((exception, at, parsed) -> report(exception, at))
            .setUsageHelpAutoWidth(true);
    // The arguments after the class are for the application.
    Objects.requireNonNull(command.getSubcommands().get("run")).setStopAtPositional(true);
    // All of them are for another JVM, which says what is wrong with them.
    Objects.requireNonNull(command.getSubcommands().get("yarn"))
        .setUnmatchedOptionsArePositionalParams(true)
        .setStopAtPositional(true);
    return command;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  private static int report(Exception exception, CommandLine command) throws Exception {
    int exitCode =
        switch (exception) {
          case UserException mistake -> mistake.exitCode();
          case ConfigException _, InvalidTopologyException _ -> ExitCode.USAGE;
          case LogException _ -> ExitCode.FAILED;
          default -> throw exception;
        };
    PrintWriter err = command.getErr();
    err.println(command.getColorScheme().errorText(message(exception)));
    err.flush();
    return exitCode;
  }

  private static String message(Exception exception) {
    return Objects.requireNonNullElse(exception.getMessage(), exception.toString());
  }
}
