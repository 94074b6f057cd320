package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.api.StreamApplication;
import dev.millrace.internal.engine.plan.ChangeReport;
import dev.millrace.internal.engine.plan.Formats;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.plan.PlanPreview;
import dev.millrace.internal.engine.plan.PlanText;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.internal.kafka.client.NearestName;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows what an application would run as.
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the plan of an application: its stages and tasks, every operator, store, exchange and"
          + " topic. It connects to Kafka only with --diff.",
      "",
      "An input topic is assumed to have the number of partitions that the application declares, or"
          + " else one; --partitions gives another number."
    })
final class PlanCommand implements Callable<Integer> {
  @Mixin private final ApplicationOptions application = new ApplicationOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "0",
      paramLabel = "CLASS",
      description = "The full name of a class that implements StreamApplication.")
  private String className;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--diff",
      description =
          "Compare the plan with the one that is recorded for the application on the cluster, and"
              + " show what becomes of its state.")
  private boolean diff;

  @Option(
      names = "--check",
      description =
          "With --diff, exit with code 2 if a start would be refused with this configuration.")
  private boolean check;

  @Option(names = "--json", description = "With --diff, print JSON.")
  private boolean json;

  @Option(names = "--mermaid", description = "Print the plan as a flow chart for Mermaid.")
  private boolean mermaid;

  @Option(
      names = "--partitions",
      paramLabel = "TOPIC=NUMBER",
      description = "The number of partitions of a topic. May be repeated.")
  private final Map<String, Integer> partitions = new LinkedHashMap<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    partitions.forEach((topic, number) -> {
      if (number < 1) {
        throw new ParameterException(
            spec.commandLine(),
            "--partitions %s=%d: a topic has at least one partition.".formatted(topic, number));
      }
    });
    StreamApplication loaded = application.load(className);
    requireRead(loaded);
    if (diff) {
      return cluster.use((found, job) -> diff(loaded, found, job.change().accept()));
    }
    if (check || json) {
      throw new ParameterException(
          spec.commandLine(), "--check and --json are only possible with --diff.");
    }
    Plan plan = PlanPreview.of(loaded, partitions);
    PrintWriter out = spec.commandLine().getOut();
    out.print(mermaid ? PlanText.mermaid(plan) : PlanText.text(plan));
    out.flush();
    return ExitCode.DONE;
  }

  private int diff(StreamApplication loaded, Cluster found, String accepted) {
    PrintWriter out = spec.commandLine().getOut();
    SortedMap<String, Integer> existing = new TreeMap<>(found.partitions());
    existing.putAll(partitions);
    ApplicationName called = found.called(loaded.name());
    PlanDescription before = found.recorded(called).plan();
    if (before == null) {
      throw new UserException(
          ExitCode.USAGE,
          "No plan of application '%s' is recorded on cluster %s. 'millrace app list' shows the applications that have run there."
              .formatted(loaded.name(), found.id()));
    }
    Plan plan = PlanPreview.after(loaded, called.storage(), existing, before);
    Formats formats = Formats.of(plan);
    PlanDiff compared = PlanDiff.between(before, plan.description(), formats);
    ChangeReport costs =
        ChangeReport.of(
            compared, before, plan.description(), formats, found.stateSizes(called.storage()));
    PlanDiffReport report = new PlanDiffReport(loaded.name(), compared, costs);
    if (json) {
      report.printJson(out);
    } else {
      report.print(out);
    }
    out.flush();
    return check && !VersionLog.accepts(compared, accepted) ? ExitCode.USAGE : ExitCode.DONE;
  }

  private void requireRead(StreamApplication loaded) {
    Set<String> read = partitions.isEmpty() ? Set.of() : PlanPreview.reads(loaded);
    for (String topic : partitions.keySet()) {
      if (!read.contains(topic)) {
        throw new ParameterException(
            spec.commandLine(),
            "--partitions names '%s', which the application does not read%s"
                .formatted(
                    topic,
                    NearestName.of(topic, read)
                        .map(near -> "; did you mean '" + near + "'?")
                        .orElse("; it reads " + String.join(", ", read) + ".")));
      }
    }
  }
}
