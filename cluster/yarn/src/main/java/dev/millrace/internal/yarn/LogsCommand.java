package dev.millrace.internal.yarn;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.logaggregation.ContainerLogsRequest;
import org.apache.hadoop.yarn.logaggregation.LogCLIHelpers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Prints what the processes of an application have said.
@Command(
    name = "logs",
    mixinStandardHelpOptions = true,
    description = {
      "Prints what the processes of an application and its master have written: from the node"
          + " managers while it runs; afterwards from HDFS, if the cluster collects logs there"
          + " (yarn.log-aggregation-enable)."
    })
final class LogsCommand implements Callable<Integer> {
  private static final List<String> FILES = List.of("stdout", "stderr");
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int OK = 200;

  @Mixin private final HadoopOptions hadoop = new HadoopOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(paramLabel = "APP", description = "The name of the application, or its id on YARN.")
  private String name;

  @Option(
      names = "--container",
      paramLabel = "ID",
      description = "Only of this container, as 'millrace yarn status' names it.")
  private @Nullable String container;

  @Option(names = "--bytes", paramLabel = "N", description = "Only the last N bytes of each file.")
  private @Nullable Long bytes;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws YarnException, IOException, InterruptedException {
    try (Session session = hadoop.open()) {
      ApplicationReport report = session.find(name);
      return Session.isAlive(report) ? ofNodes(session, report) : ofHdfs(session, report);
    }
  }

  /// The shaded client of Hadoop has no HTTP client for its own command 'logs'.
  private int ofNodes(Session session, ApplicationReport report)
      throws YarnException, IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    int failed = 0;
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (ContainerReport each : StatusCommand.containers(session, report)) {
        if (container == null || container.equals(each.getContainerId().toString())) {
          for (String file : FILES) {
            out.println(
                "== %s of %s on %s"
                    .formatted(file, each.getContainerId(), each.getAssignedNode().getHost()));
            failed += print(client, each, file, out) ? 0 : 1;
          }
        }
      }
    }
    out.flush();
    return failed == 0 ? Exit.DONE : Exit.FAILED;
  }

  private boolean print(HttpClient client, ContainerReport of, String file, PrintWriter out)
      throws InterruptedException {
    String url =
        "%s/ws/v1/node/containerlogs/%s/%s%s"
            .formatted(
                of.getNodeHttpAddress(),
                of.getContainerId(),
                file,
                bytes == null ? "" : "?size=-" + bytes);
    try {
      HttpResponse<InputStream> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream in = answer.body()) {
        out.println(new String(in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing());
      }
      return answer.statusCode() == OK;
    } catch (IOException e) {
      out.println("The node manager does not answer at %s: %s".formatted(url, e));
      return false;
    }
  }

  private int ofHdfs(Session session, ApplicationReport report) throws IOException {
    YarnConfiguration config = session.config();
    if (!config.getBoolean(YarnConfiguration.LOG_AGGREGATION_ENABLED, false)) {
      throw new YarnProblem(
          Exit.FAILED,
          "%s (%s) has ended, and the cluster does not collect logs (%s). They are on its hosts for a while; 'millrace yarn status' prints why it ended."
              .formatted(
                  report.getName(),
                  report.getApplicationId(),
                  YarnConfiguration.LOG_AGGREGATION_ENABLED));
    }
    ContainerLogsRequest request = new ContainerLogsRequest();
    request.setAppId(report.getApplicationId());
    request.setAppOwner(report.getUser());
    request.setLogTypes(Set.of());
    request.setBytes(bytes == null ? Long.MAX_VALUE : -bytes);
    request.setAppFinished(true);
    LogCLIHelpers helpers = new LogCLIHelpers();
    helpers.setConf(config);
    if (container != null) {
      request.setContainerId(container);
      return helpers.dumpAContainerLogsForLogTypeWithoutNodeId(request) == 0
          ? Exit.DONE
          : Exit.FAILED;
    }
    return helpers.dumpAllContainersLogs(request) == 0 ? Exit.DONE : Exit.FAILED;
  }
}
