package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.JobConfig;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Deletes what an application keeps: not what it reads and what it has written.
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    description = {
      "Deletes an application's own topics, its positions, its local state on this host and its"
          + " snapshots. Its inputs and results stay.",
      "",
      "Without --yes it only says what would be deleted.",
    })
final class AppDeleteCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final BelongingsOptions belongings = new BelongingsOptions();

  @Parameters(paramLabel = "NAME", description = "The application.")
  private String name = "";

  @Option(names = "--yes", description = "Delete it.")
  private boolean yes;

  @Option(names = "--dead-letters", description = "Also its dead-letter topic.")
  private boolean deadLetters;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(this::delete);
  }

  private int delete(Cluster found, JobConfig job) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Cluster.Application application = found.application(name);
    if (application == null) {
      throw new UserException(
          ExitCode.USAGE,
          "No application '%s' has run on cluster %s: 'millrace app list' shows those that have."
              .formatted(name, found.id()));
    }
    List<String> topics = topics(found, application, job);
    Belongings kept = belongings.of(found, application, job, out);
    kept.requireStopped("Nothing was deleted.");

    out.println((yes ? "Deleting" : "Would delete") + " of application '" + name + "':");
    topics.forEach(topic -> out.println("  topic " + topic));
    out.println("  positions in consumer group " + name);
    kept.show(out);
    int ids = found.transactionalIds(name);
    out.println(
        "Kafka has no way to delete transactional ids; it forgets the %d of this application by itself (transactional.id.expiration.ms)."
            .formatted(ids));
    if (yes) {
      remove(found, topics, kept);
      out.println("Deleted.");
    } else {
      out.println("Nothing was deleted. Say --yes to delete it.");
    }
    out.flush();
    return ExitCode.DONE;
  }

  private List<String> topics(Cluster found, Cluster.Application application, JobConfig job) {
    List<String> topics = new ArrayList<>();
    String letters = job.errors().deadLetterTopicOf(name);
    if (deadLetters && found.topic(letters) != null) {
      topics.add(letters);
    }
    topics.addAll(AppListCommand.ownTopics(application));
    return topics;
  }

  /// The topic that shows that the application exists goes last, so that this can be done again if
  /// it fails in the middle.
  private void remove(Cluster found, List<String> topics, Belongings kept)
      throws InterruptedException {
    kept.remove();
    found.deleteGroup(name);
    List<String> before = topics.subList(0, topics.size() - 1);
    if (!before.isEmpty()) {
      found.deleteTopics(before);
    }
    found.deleteTopics(topics.subList(topics.size() - 1, topics.size()));
  }
}
