package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.Effective;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// Shows the configuration that a run in this directory would have.
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    customSynopsis = "millrace config [--explain] [FLAG...]",
    description = {
      "Shows every setting that 'millrace run' would have in this directory with the same flags,"
          + " and its origin: default, line of millrace.yaml, environment variable or flag. Secrets"
          + " are masked.",
    })
final class ConfigCommand implements Callable<Integer> {
  private static final int WIDEST = 60;

  @Option(
      names = "--explain",
      description = "Print the description of each setting instead of its value.")
  private boolean explain;

  /// Whatever else is given, in its order.
  @Unmatched private final List<String> flags = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (explain) {
      out.print(ConfigLoader.describe());
    } else {
      print(new ConfigLoader(Path.of(""), System.getenv()).load(flags).effective(), out);
    }
    out.flush();
    return ExitCode.DONE;
  }

  private static void print(List<Effective> all, PrintWriter out) {
    int keys = all.stream().mapToInt(each -> each.key().length()).max().orElse(0);
    int values =
        Math.min(WIDEST, all.stream().mapToInt(each -> each.value().length()).max().orElse(0));
    for (Effective each : all) {
      out.println(
          "%s  %s  %s"
              .formatted(
                  TextTable.padded(each.key(), keys),
                  TextTable.padded(each.value(), values),
                  each.origin()));
    }
  }
}
