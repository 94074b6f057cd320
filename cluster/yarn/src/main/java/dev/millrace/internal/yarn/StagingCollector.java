package dev.millrace.internal.yarn;

import dev.millrace.internal.yarn.job.Staging;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.YarnException;

/// Removes from the staging directory what no run needs: the directories of those that have ended,
/// and, while nothing runs, files that nobody has used for a week.
final class StagingCollector {
  private static final Duration UNUSED = Duration.ofDays(7);

  private final Session session;

  StagingCollector(Session session) {
    this.session = session;
  }

  void collect(PrintWriter out) throws YarnException, IOException {
    Staging staging = session.staging();
    EnumSet<YarnApplicationState> living = EnumSet.complementOf(CollectCommand.ended());
    Set<String> alive =
        session.runs(living).stream()
            .map(each -> each.getApplicationId().toString())
            .collect(Collectors.toCollection(HashSet::new));
    int runs = 0;
    for (FileStatus run : staging.list("applications")) {
      if (!alive.contains(run.getPath().getName())) {
        staging.remove(run.getPath());
        runs++;
      }
    }
    int files = alive.isEmpty() ? removeOld(staging) : 0;
    out.println(
        "Removed what %d ended runs and %d unused files had left in %s."
            .formatted(runs, files, staging.root()));
  }

  private static int removeOld(Staging staging) throws IOException {
    long before = System.currentTimeMillis() - UNUSED.toMillis();
    List<FileStatus> old =
        staging.list("lib").stream().filter(each -> each.getModificationTime() < before).toList();
    for (FileStatus each : old) {
      staging.remove(each.getPath());
    }
    return old.size();
  }
}
