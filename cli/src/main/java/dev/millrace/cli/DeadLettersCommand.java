package dev.millrace.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What applications could not process, and sent away.
@Command(
    name = "dead-letters",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description = "Lists what an application could not process, shows it, and sends it in again.",
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
