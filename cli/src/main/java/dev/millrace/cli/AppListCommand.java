package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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
      Map<String, Cluster.Application> applications = found.applications();
      topics(applications, found.id(), out);
      Path directory = state == null ? job.state().directory() : state;
      Map<String, String> names = new TreeMap<>();
      applications.forEach((name, each) -> names.put(each.storage(), name));
      List<LocalState> states = LocalState.under(directory);
      if (states.isEmpty()) {
        out.println("\nThere is no local state in " + directory + ".");
      } else {
        local(states, names, found.id(), out);
      }
      out.flush();
      return ExitCode.DONE;
    });
  }

  private static void topics(
      Map<String, Cluster.Application> applications, String cluster, PrintWriter out) {
    if (applications.isEmpty()) {
      out.println("No application has run on cluster " + cluster + ".");
      return;
    }
    TextTable table =
        new TextTable("application", "container", "last sign of life", "plan", "topics");
    applications.forEach((name, application) -> {
      String topics = String.join(", ", ownTopics(application));
      for (ProcessSign sign : application.containers().values()) {
        table.add(
            name,
            sign.container(),
            sign.at() + (sign.released() ? ", has ended" : " on " + sign.host()),
            sign.plan(),
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
    if (application.claims() != null) {
      names.add(application.claims().name());
    }
    if (application.versions() != null) {
      names.add(application.versions().name());
    }
    names.addAll(application.names());
    names.addAll(application.ofMembers());
    return names;
  }

  /// @param names of the applications of this cluster, by the name under which they are stored
  private static void local(
      List<LocalState> states, Map<String, String> names, String cluster, PrintWriter out) {
    out.println();
    TextTable table = new TextTable("application", "directory", "bytes", "last used", "status");
    for (LocalState each : states) {
      String application = each.application();
      String is;
      if (each.owner() == null) {
        is = each.doubt();
      } else if (each.owner().cluster().equals(cluster)) {
        is = each.held() ? "in use" : "free";
        application = names.getOrDefault(application, application);
      } else {
        is = "of cluster " + each.owner().cluster();
      }
      table.add(
          application,
          each.path().toString(),
          String.format(Locale.ROOT, "%,d", each.sizeBytes()),
          Instant.ofEpochMilli(each.usedMillis()).toString(),
          is);
    }
    table.print(out);
  }
}
