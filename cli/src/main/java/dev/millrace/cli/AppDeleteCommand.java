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
      "Deletes an application's internal topics, its positions, its local state on this host and"
          + " its snapshots. Its input and output topics are kept.",
      "",
      "Without --yes, it only prints what would be deleted.",
    })
final class AppDeleteCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final BelongingsOptions belongings = new BelongingsOptions();

  @Parameters(paramLabel = "NAME", description = "The application.")
  private String name = "";

  @Option(names = "--yes", description = "Delete the application.")
  private boolean yes;

  @Option(names = "--dead-letters", description = "Also delete its dead-letter topic.")
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
          "No application '%s' has run on cluster %s. 'millrace app list' shows the applications that have."
              .formatted(name, found.id()));
    }
    List<String> topics = topics(found, application, job);
    Belongings kept = belongings.of(found, application, job, out);
    kept.requireStopped("Nothing was deleted.");

    out.println((yes ? "Deleting" : "Would delete") + " of application '" + name + "':");
    topics.forEach(topic -> out.println("  topic " + topic));
    out.println("  positions in consumer group " + application.storage());
    kept.show(out);
    int ids = found.transactionalIds(application);
    out.println(
        "Kafka cannot delete transactional ids on request; the %d ids of this application expire by themselves (transactional.id.expiration.ms)."
            .formatted(ids));
    if (yes) {
      remove(found, topics, kept);
      out.println("Deleted.");
    } else {
      out.println("Nothing was deleted. Run the command with --yes to delete it.");
    }
    out.flush();
    return ExitCode.DONE;
  }

  private List<String> topics(Cluster found, Cluster.Application application, JobConfig job) {
    List<String> topics = new ArrayList<>();
    String letters = job.errors().deadLetterTopicOf(application.storage());
    if (deadLetters && found.topic(letters) != null) {
      topics.add(letters);
    }
    topics.addAll(AppListCommand.ownTopics(application));
    return topics;
  }

  /// The topics by which the application is found go last, so that this can be done again if it
  /// fails in the middle: that with its signs of life, and that of its present name.
  private void remove(Cluster found, List<String> topics, Belongings kept)
      throws InterruptedException {
    kept.remove();
    found.deleteGroup(kept.application().storage());
    int last = topics.size() - (kept.application().names().isEmpty() ? 1 : 2);
    if (last > 0) {
      found.deleteTopics(topics.subList(0, last));
    }
    found.deleteTopics(topics.subList(last, topics.size()));
  }
}
