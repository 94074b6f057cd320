package dev.millrace.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Groups the commands for dead letters.
@Command(
    name = "dead-letters",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description =
        "Lists, shows and resends records and results that an application could not process.",
    subcommands = {
      DeadLettersListCommand.class,
      DeadLettersShowCommand.class,
      DeadLettersResendCommand.class
    })
final class DeadLettersCommand implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }
}
