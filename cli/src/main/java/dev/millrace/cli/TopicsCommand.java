package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.TopicChoice;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanPreview;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.settings.ErrorConfig;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows topics and their records, and writes some.
@Command(
    name = "topics",
    mixinStandardHelpOptions = true,
    subcommands = TopicsCreateCommand.class,
    commandListHeading = "%nCommands:%n",
    description = {
      "Lists the topics of a cluster or of an application, or describes the named topics with their"
          + " partitions, offsets and settings.",
      "",
      "The cluster is the one that millrace.yaml or environment variables name, unless a flag names"
          + " another.",
    })
final class TopicsCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--of",
      paramLabel = "CLASS",
      description = "Only topics of this application: input, output and internal topics.")
  private @Nullable String className;

  @Mixin private final ApplicationOptions application = new ApplicationOptions();

  @Option(
      names = "--tail",
      paramLabel = "N",
      description = "Show the last N committed records of each partition.")
  private int tail;

  @Option(
      names = "--head",
      paramLabel = "N",
      description = "Show the first N committed records of each partition.")
  private int head;

  @Option(
      names = "--as",
      paramLabel = "FORM",
      defaultValue = "auto",
      description =
          "Show keys, values and headers as ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
  private ShownBytes form = ShownBytes.AUTO;

  @Option(names = "--headers", description = "Also show the headers of records.")
  private boolean headers;

  @Mixin private final LineOptions written = new LineOptions();

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
    if (tail < 0 || head < 0) {
      throw new ParameterException(
          spec.commandLine(), (tail < 0 ? "--tail" : "--head") + " must be at least 0.");
    }
    if (written.write() && (topics.size() != 1 || tail > 0 || head > 0)) {
      throw new ParameterException(
          spec.commandLine(),
          "--write takes one topic and cannot be combined with --head or --tail.");
    }
    if (!written.write() && written.saysHow()) {
      throw new ParameterException(
          spec.commandLine(), "--keys, --separator, --null and --header need --write.");
    }
  }

  private void show(String servers, Map<String, String> properties, ErrorConfig errors)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    TopicLines lines = new TopicLines(servers, properties, out);
    if (written.write()) {
      lines.write(topics.getFirst(), written);
      return;
    }
    boolean records = tail > 0 || head > 0;
    try (TopicTables tables = new TopicTables(servers, properties, out)) {
      Predicate<String> own =
          className == null
              ? null
              : ofApplication(application.load(className), servers, properties, errors);
      if (topics.isEmpty() && !records) {
        tables.list(own);
      } else {
        for (String topic : topics.isEmpty() && own != null ? tables.existing(own) : topics) {
          tables.describe(topic);
          if (records) {
            lines.show(topic, head, tail, record -> line(record));
          }
        }
      }
    }
    out.flush();
  }

  /// Returns a record as a line: partition, offset, time, key, value, and headers if they are asked
  /// for.
  private String line(ConsumerRecord<byte[], byte[]> record) {
    StringBuilder line =
        new StringBuilder(
            "  %d:%d  %s  %s  %s"
                .formatted(
                    record.partition(),
                    record.offset(),
                    Instant.ofEpochMilli(record.timestamp()),
                    oneLine(record.key()),
                    oneLine(record.value())));
    if (headers) {
      for (Header header : record.headers()) {
        line.append("  ").append(header.key()).append('=').append(oneLine(header.value()));
      }
    }
    return line.toString();
  }

  private String oneLine(byte @Nullable [] bytes) {
    return form.of(bytes).replaceAll("[\\n\\r\\t]", ".");
  }

  /// Returns a predicate for the topics that an application reads and writes, and its internal
  /// topics.
  private static Predicate<String> ofApplication(
      StreamApplication application,
      String servers,
      Map<String, String> properties,
      ErrorConfig errors) {
    String storage = Cluster.storage(servers, properties, application.name());
    Plan plan = PlanPreview.of(application, storage, Map.of());
    Set<String> names = new TreeSet<>();
    names.add(plan.changelogTopic());
    names.add(Plan.membersTopic(storage));
    names.add(Plan.placementTopic(storage));
    names.add(VersionLog.topic(storage).name());
    names.add(errors.deadLetterTopicOf(storage));
    List<TopicChoice> patterns = new ArrayList<>();
    for (Plan.Stage stage : plan.stages()) {
      stage.inputs().forEach(input -> names.add(input.stream()));
      for (Node node : stage.nodes()) {
        LogTopics<?> several = null;
        if (node instanceof Node.Input input) {
          several = input.source().topics();
        } else if (node instanceof Node.Output output) {
          names.add(output.sink().stream());
          several = output.sink().topics();
        }
        if (several != null) {
          patterns.add(several.choice());
        }
      }
    }
    return topic ->
        names.contains(topic) || patterns.stream().anyMatch(pattern -> pattern.has(topic));
  }
}
