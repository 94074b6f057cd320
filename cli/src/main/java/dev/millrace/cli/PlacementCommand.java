package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows which process has which task of an application, and why.
@Command(
    name = "placement",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the processes of an application, which of its tasks each of them has or follows, why,"
          + " and where each task was before.",
      "",
      "It reads what is decided and what the processes say of themselves from Kafka, and waits up"
          + " to three seconds for signs of life. Times of decisions are their numbers: the term of"
          + " the coordinator, and the decision in it."
    })
final class PlacementCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "APPLICATION", description = "The application.")
  private String name;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use((found, job) -> {
      PrintWriter out = spec.commandLine().getOut();
      PlacementReport report = PlacementReport.of(found, name);
      if (json) {
        report.printJson(out);
      } else {
        report.print(out);
      }
      out.flush();
      return ExitCode.DONE;
    });
  }
}
