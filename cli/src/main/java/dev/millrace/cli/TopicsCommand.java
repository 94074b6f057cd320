package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.PlanPreview;
import dev.millrace.api.StreamApplication;
import dev.millrace.config.ErrorConfig;
import dev.millrace.engine.lease.ContainerLease;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.topology.Node;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows topics.
@Command(
    name = "topics",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the topics of a cluster or of an application. Those that are named are described:"
          + " partitions, offsets and settings.",
      "",
      "The cluster is that of millrace.yaml and the variables, unless a flag says another.",
    })
final class TopicsCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--of",
      paramLabel = "CLASS",
      description = "Only the topics of this application: read, written, and its own.")
  private @Nullable String className;

  @Mixin private final ApplicationOptions application = new ApplicationOptions();

  @Option(
      names = "--tail",
      paramLabel = "N",
      description = "Show the last N committed records of each partition.")
  private int tail;

  @Option(
      names = "--write",
      description = "Write each line of standard input as a record, without key, instead.")
  private boolean write;

  @Parameters(paramLabel = "TOPIC", description = "Topics to describe.")
  private final List<String> topics = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    check();
    return cluster.useAddress((servers, job) -> {
      show(servers, job.kafka().properties(), job.errors());
      return ExitCode.DONE;
    });
  }

  private void check() {
    if (tail < 0) {
      throw new ParameterException(spec.commandLine(), "--tail is below 0.");
    }
    if (write && (topics.size() != 1 || tail > 0)) {
      throw new ParameterException(
          spec.commandLine(), "--write takes one topic, and nothing else is shown.");
    }
  }

  private void show(String servers, Map<String, String> properties, ErrorConfig errors)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    TopicLines lines = new TopicLines(servers, properties, out);
    if (write) {
      lines.write(topics.getFirst());
      return;
    }
    try (TopicTables tables = new TopicTables(servers, properties, out)) {
      Set<String> own =
          className == null ? null : ofApplication(application.load(className), errors);
      if (topics.isEmpty() && tail == 0) {
        tables.list(own);
      } else {
        for (String topic : topics.isEmpty() && own != null ? tables.existing(own) : topics) {
          tables.describe(topic);
          if (tail > 0) {
            lines.tail(topic, tail);
          }
        }
      }
    }
    out.flush();
  }

  /// Names that may be of topics; some of them may not exist, or be those of other sources and
  /// sinks.
  private static Set<String> ofApplication(StreamApplication application, ErrorConfig errors) {
    Plan plan = PlanPreview.of(application, Map.of());
    Set<String> names = new TreeSet<>();
    names.add(plan.changelogTopic());
    names.add(ContainerLease.topic(application.name()).name());
    names.add(errors.deadLetterTopicOf(application.name()));
    for (Plan.Stage stage : plan.stages()) {
      stage.inputs().forEach(input -> names.add(input.stream()));
      for (Node node : stage.nodes()) {
        if (node instanceof Node.Output output) {
          names.add(output.sink().stream());
        }
      }
    }
    return names;
  }
}
