package dev.millrace.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Groups the commands for applications and their state, on the cluster and on this host.
@Command(
    name = "app",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description =
        "Lists, renames, resets and deletes applications, and removes the state of applications"
            + " that were deleted.",
    subcommands = {
      AppListCommand.class,
      AppRenameCommand.class,
      AppResetCommand.class,
      AppDeleteCommand.class,
      AppCollectCommand.class,
    })
final class AppCommand implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }
}
