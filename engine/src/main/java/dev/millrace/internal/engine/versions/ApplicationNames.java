package dev.millrace.internal.engine.versions;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import java.util.List;

/// Finds where an application is stored, by its name.
///
/// An application that was renamed is stored under its first name. The topic with its plans says
/// under `called` what it is called, and what it was called before; the topic that is named after
/// another name of it has one record, `stored as`, with the first name. A name is in effect if both
/// say so. Used by one thread; waits for the log.
public final class ApplicationNames {
  private final Log log;
  private final Clock clock;
  private final Runnable pause;

  /// @param pause waits for a moment, between two looks at the log
  public ApplicationNames(Log log, Clock clock, Runnable pause) {
    this.log = log;
    this.clock = clock;
    this.pause = pause;
  }

  /// What is known of a name.
  ///
  /// @param application the name, and where an application of that name is stored
  /// @param recorded what that storage says
  public record Found(ApplicationName application, Recorded recorded) {
    /// Returns what the application in the storage is called.
    public String now() {
      List<String> names = recorded.names();
      return names.isEmpty() ? application.storage() : names.getFirst();
    }

    /// Returns whether that is the name that was looked for.
    public boolean isNow() {
      return now().equals(application.name());
    }

    /// Returns whether the application was called so before, and is called otherwise now.
    public boolean isFormer() {
      return !isNow()
          && (application.name().equals(application.storage())
              || recorded.names().contains(application.name()));
    }

    /// Returns this if an application may have the name.
    ///
    /// @throws PlanRefusedException if an application is stored there that is called otherwise
    public Found require() {
      String name = application.name();
      if (isFormer()) {
        throw new PlanRefusedException(
            "Application '%1$s' was renamed, and is called '%2$s' now. Use that name, or take the former one back, while no process of it runs: millrace app rename %2$s %1$s."
                .formatted(name, now()));
      }
      if (!isNow()) {
        throw new PlanRefusedException(
            "There is no application '%1$s': topic '%3$s' says that it is stored as '%4$s', where '%2$s' is. So a rename was begun and not completed, or '%4$s' was deleted. To complete the rename: millrace app rename %2$s %1$s. Otherwise delete the topic '%3$s', which has nothing else."
                .formatted(name, now(), VersionLog.topic(name).name(), application.storage()));
      }
      return this;
    }
  }

  /// Returns what is known of a name; one that was never used is a name of its own storage.
  ///
  /// @throws PlanRefusedException if what is recorded cannot be read
  public Found find(String name) {
    Recorded own = recorded(name);
    String storage = own.storedAs();
    return storage == null
        ? new Found(ApplicationName.of(name), own)
        : new Found(new ApplicationName(name, storage), recorded(storage));
  }

  private Recorded recorded(String name) {
    return VersionLog.recorded(name, log, clock, pause);
  }
}
