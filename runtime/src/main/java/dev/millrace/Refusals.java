package dev.millrace;

import dev.millrace.config.PlacementConfig;
import dev.millrace.internal.engine.lease.Holder;
import dev.millrace.internal.engine.lease.SignOfLife;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Describes why a process does not get its container, and what to do.
final class Refusals {
  private final String application;
  private final PlacementConfig placement;

  Refusals(String application, PlacementConfig placement) {
    this.application = application;
    this.placement = placement;
  }

  /// Returns why the container is not this process's; null if it is, or may be yet.
  @Nullable JobFailure of(ContainerHold container) {
    return switch (container.state()) {
      case REFUSED ->
          container.differing().isEmpty()
              ? alreadyRunning(container.other())
              : other(container.differing(), container.differingAlike());
      case LOST -> takenOver(container.other());
      case READING, WATCHING, BLOCKED, TAKING, HELD, RELEASING, RELEASED -> null;
    };
  }

  /// @param other null if it is not known
  JobFailure takenOver(@Nullable Holder other) {
    return new JobFailure(
        ExitCode.TAKEN,
        "Another process%s has taken over container %d of '%s'. This one ends, and nothing is lost: what it had not committed is processed there."
            .formatted(other == null ? "" : " " + where(other), placement.container(), application),
        null);
  }

  /// @param other null if it is not known
  JobFailure alreadyRunning(@Nullable Holder other) {
    String who =
        other == null ? "" : " %s since %s".formatted(where(other), since(other.sinceMillis()));
    return new JobFailure(
        ExitCode.TAKEN,
        "Container %d of '%s' is already running%s. Stop that process, give this process another container number, or start it with --take-over."
            .formatted(placement.container(), application, who),
        null);
  }

  /// Describes a conflict with processes that run under another placement or read other topics.
  ///
  /// @param placedAlike whether they were told the same placement
  JobFailure other(SortedMap<Integer, SignOfLife> running, boolean placedAlike) {
    return placedAlike ? otherInputs(running) : otherPlacement(running);
  }

  private JobFailure otherInputs(SortedMap<Integer, SignOfLife> running) {
    String who =
        running.entrySet().stream()
            .map(
                each -> "container %d %s".formatted(each.getKey(), where(each.getValue().holder())))
            .collect(Collectors.joining(running.size() == 2 ? " and " : ", "));
    return new JobFailure(
        ExitCode.USAGE,
        "Container %d of '%s' was not started, because it would read other topics than %s. Processes that read other topics may run side by side only if the program of one replaces that of the other, and not if they have found other topics by the same pattern; otherwise some partitions would not be read. Stop all of them, then start them again."
            .formatted(placement.container(), application, who),
        null);
  }

  private JobFailure otherPlacement(SortedMap<Integer, SignOfLife> running) {
    String who =
        running.entrySet().stream()
            .map(Refusals::container)
            .collect(Collectors.joining(running.size() == 2 ? " and " : ", "));
    return new JobFailure(
        ExitCode.USAGE,
        "Container %d of %d of '%s' with %s%s was not started, and nothing was changed, because %s run%s. Give all processes of an application the same --containers, --workers and --placement.exchanges, or first stop those that are running."
            .formatted(
                placement.container(),
                placement.containers(),
                application,
                workers(placement.workers()),
                placement.exchanges() == PlacementConfig.Exchanges.DIRECT
                    ? " and direct exchanges"
                    : "",
                who,
                running.size() == 1 ? "s" : ""),
        null);
  }

  private static String container(Map.Entry<Integer, SignOfLife> entry) {
    SignOfLife sign = entry.getValue();
    return sign.containers() == 0
        ? "container %d of another version of Millrace".formatted(entry.getKey())
        : "container %d of %d with %s (%s)"
            .formatted(
                entry.getKey(),
                sign.containers(),
                workers(sign.workers()),
                where(sign.holder()).strip());
  }

  private static String workers(int workers) {
    return workers == 1 ? "1 worker" : workers + " workers";
  }

  private static String where(Holder holder) {
    return "on %s (process %d)".formatted(holder.host(), holder.pid());
  }

  private static Instant since(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  /// @param other who holds the container, if it is known
  /// @param inUse says which directory it is and who has it
  JobFailure directoryInUse(@Nullable Holder other, String home, String inUse) {
    String wayOut =
        other != null && other.home().equals(home)
            ? "If that process hangs, end it with kill -9 %d and start this one again."
                .formatted(other.pid())
            : "If that process hangs, end it with kill -9 and start this one again.";
    return new JobFailure(
        ExitCode.TAKEN,
        "Container %d of '%s' cannot run here: %s. %s Nothing was changed; --take-over does not help here, because it takes over only from a process on another host."
            .formatted(placement.container(), application, inUse, wayOut),
        null);
  }

  /// Returns a line about a container that no process runs.
  String missing(int container) {
    return "No process runs container %d of %d of '%s': its tasks are not processed until a process is started with --container %d --containers %d."
        .formatted(
            container, placement.containers(), application, container, placement.containers());
  }

  /// Returns a line about one that was missing.
  String back(int container) {
    return "Container %d of %d of '%s' is running again."
        .formatted(container, placement.containers(), application);
  }
}
