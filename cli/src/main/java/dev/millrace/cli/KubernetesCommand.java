package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// What an application needs on Kubernetes.
@Command(
    name = "kubernetes",
    mixinStandardHelpOptions = true,
    description = "Writes what an application needs to run on Kubernetes.",
    subcommands = KubernetesManifestCommand.class)
final class KubernetesCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
