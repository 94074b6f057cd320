package dev.millrace.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Groups the commands for changes of applications that are being rolled out.
@Command(
    name = "deploy",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description = {
      "Shows, finalizes and rolls back changes of applications.",
      "",
      "A change begins when the first container starts with a changed program. Until it is"
          + " finalized, containers with the program before it may run and start, and values are"
          + " written so that they can be read by it."
    },
    subcommands = {
      DeployStatusCommand.class,
      DeployFinalizeCommand.class,
      DeployRollbackCommand.class,
    })
final class DeployCommand implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }
}
