package dev.millrace.internal.yarn.master;

import dev.millrace.internal.yarn.fleet.Fleet;
import dev.millrace.internal.yarn.job.JobSpec;
import dev.millrace.internal.yarn.job.Staging;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a master leaves for the next one, and for the next run: where each process is and was. What
/// cannot be written is written a moment later; until then a master that dies would not know of it.
final class MasterFiles {
  private static final Logger LOG = LoggerFactory.getLogger(MasterFiles.class);

  private final Staging staging;
  private final Path run;
  private final Path homes;
  private final boolean keepsHomes;
  private List<String> written = List.of();
  private List<String> writtenHomes = List.of();

  MasterFiles(Staging staging, ApplicationId id, JobSpec job) {
    this.staging = staging;
    run = staging.run(id);
    homes = staging.homes(job.name());
    keepsHomes = !job.everyHost();
  }

  /// Returns the hosts of the former run.
  List<String> formerHomes() throws IOException {
    return staging.lines(homes);
  }

  /// Returns what a former master of this run has left; nothing if there was none.
  List<String> formerFleet() throws IOException {
    return staging.lines(fleet());
  }

  /// Returns whether somebody has asked for the processes to stop.
  boolean isToStop() {
    try {
      return staging.has(stop(run));
    } catch (IOException e) {
      LOG.warn("It cannot be seen whether the application is to stop: {}", e.toString());
      return false;
    }
  }

  /// Returns the file that says that a run is to stop.
  static Path stop(Path run) {
    return new Path(run, "stop");
  }

  /// Writes what has changed.
  void save(Fleet fleet) {
    List<String> lines = new ArrayList<>(fleet.lines());
    try {
      if (!lines.equals(written)) {
        staging.write(fleet(), text(lines));
        written = lines;
      }
      List<String> places = fleet.homes();
      if (keepsHomes && !places.isEmpty() && !places.equals(writtenHomes)) {
        staging.write(homes, text(places));
        writtenHomes = places;
      }
    } catch (IOException e) {
      LOG.warn("What runs where cannot be written to {}: {}", run, e.toString());
    }
  }

  /// Removes what this run had for itself.
  void remove() {
    try {
      staging.remove(run);
    } catch (IOException e) {
      LOG.warn("{} is left behind: {}", run, e.toString());
    }
  }

  private Path fleet() {
    return new Path(run, "fleet");
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }
}
