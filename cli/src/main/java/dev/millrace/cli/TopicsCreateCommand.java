package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Creates topics.
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    description = {
      "Creates topics, and ends when they can be written to.",
      "",
      "The cluster's defaults apply to replicas and settings that are not given.",
    })
final class TopicsCreateCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of partitions of each topic; default: ${DEFAULT-VALUE}.")
  private int partitions;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "-1",
      hideParamSyntax = true,
      description = "Number of brokers that keep a copy of each partition.")
  private short replicas;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A setting of the topics, such as cleanup.policy=compact. May be repeated.")
  private final Map<String, String> settings = new LinkedHashMap<>();

  @Parameters(arity = "1..*", paramLabel = "TOPIC", description = "The topics.")
  private final List<String> topics = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.useAddress((servers, job) -> {
      PrintWriter out = spec.commandLine().getOut();
      try (TopicTables tables = new TopicTables(servers, job.kafka().properties(), out)) {
        for (String topic : topics) {
          tables.create(topic, partitions, replicas, settings);
          out.println(
              "Created %s with %d partition%s."
                  .formatted(topic, partitions, partitions == 1 ? "" : "s"));
          out.flush();
        }
      }
      return ExitCode.DONE;
    });
  }
}
