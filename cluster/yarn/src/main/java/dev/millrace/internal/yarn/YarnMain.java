package dev.millrace.internal.yarn;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import org.apache.hadoop.yarn.exceptions.YarnException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The commands `millrace yarn`, which the command `millrace` starts in a JVM of their own.
@Command(
    name = "millrace yarn",
    mixinStandardHelpOptions = true,
    description = {
      "Runs applications on YARN: an application master starts as many processes as are wanted, on"
          + " the hosts that have their state, and starts them again when they die.",
      "",
      "The configuration of the cluster is read from --conf, HADOOP_CONF_DIR, YARN_CONF_DIR,"
          + " HADOOP_HOME/etc/hadoop or /etc/hadoop/conf."
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {
      SubmitCommand.class,
      StatusCommand.class,
      LogsCommand.class,
      KillCommand.class,
      CollectCommand.class,
    })
public final class YarnMain implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /// Returns the command with all its parts, ready to be executed.
  static CommandLine commandLine() {
    CommandLine command =
        new CommandLine(new YarnMain())
            .setExecutionExceptionHandler((exception, at, parsed) -> report(exception, at))
            .setUsageHelpAutoWidth(true);
    // The arguments after the main class are for the application.
    Objects.requireNonNull(command.getSubcommands().get("submit")).setStopAtPositional(true);
    return command;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  private static int report(Exception exception, CommandLine command) throws Exception {
    int exitCode =
        switch (exception) {
          case YarnProblem problem -> problem.exitCode();
          case YarnException _, IOException _ -> Exit.FAILED;
          default -> throw exception;
        };
    PrintWriter err = command.getErr();
    err.println(Objects.requireNonNullElse(exception.getMessage(), exception.toString()));
    err.flush();
    return exitCode;
  }
}
