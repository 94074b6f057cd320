package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Lists applications.
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description =
        "Lists the applications that have run on the cluster, and their local state on this host.")
final class AppListCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The directory with local state; default: state.directory.")
  private @Nullable Path state;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use((found, job) -> {
      PrintWriter out = spec.commandLine().getOut();
      topics(found, out);
      Path directory = state == null ? job.state().directory() : state;
      local(LocalState.under(directory), directory, found.id(), out);
      out.flush();
      return ExitCode.DONE;
    });
  }

  private static void topics(Cluster cluster, PrintWriter out) throws InterruptedException {
    Map<String, Cluster.Application> applications = cluster.applications();
    if (applications.isEmpty()) {
      out.println("No application has run on cluster " + cluster.id() + ".");
      return;
    }
    TextTable table =
        new TextTable("application", "container", "last sign of life", "plan", "topics");
    applications.forEach((name, application) -> {
      String topics = String.join(", ", ownTopics(application));
      for (Map.Entry<Integer, Cluster.Seen> each : application.containers().entrySet()) {
        Cluster.Seen seen = each.getValue();
        table.add(
            name,
            each.getKey().toString(),
            Instant.ofEpochMilli(seen.atMillis())
                + (seen.sign().released() ? ", released" : " on " + seen.sign().holder().host()),
            seen.sign().plan(),
            topics);
        topics = "";
      }
    });
    table.print(out);
  }

  /// Returns the topics that only the application uses; the one that shows that it exists is last.
  static List<String> ownTopics(Cluster.Application application) {
    List<String> names = new ArrayList<>();
    application.exchanges().forEach(topic -> names.add(topic.name()));
    if (application.changelog() != null) {
      names.add(application.changelog().name());
    }
    if (application.versions() != null) {
      names.add(application.versions().name());
    }
    names.add(application.containersTopic());
    return names;
  }

  private static void local(
      List<LocalState> states, Path directory, String cluster, PrintWriter out) {
    out.println();
    if (states.isEmpty()) {
      out.println("There is no local state in " + directory + ".");
      return;
    }
    TextTable table = new TextTable("application", "directory", "bytes", "last used", "status");
    for (LocalState each : states) {
      String is;
      if (each.owner() == null) {
        is = each.doubt();
      } else if (each.owner().cluster().equals(cluster)) {
        is = each.held() ? "in use" : "free";
      } else {
        is = "of cluster " + each.owner().cluster();
      }
      table.add(
          each.application(),
          each.path().toString(),
          String.format(Locale.ROOT, "%,d", each.sizeBytes()),
          Instant.ofEpochMilli(each.usedMillis()).toString(),
          is);
    }
    table.print(out);
  }
}
