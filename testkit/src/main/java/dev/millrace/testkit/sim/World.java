package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.settings.SnapshotSettings;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Presence;
import org.jspecify.annotations.Nullable;

/// What the containers of a job run on: the model, or the real thing.
interface World {

  /// The log as the test sees it.
  Log log();

  Clock clock();

  /// Lets some time go by.
  void pause();

  /// The log as a process sees it, for one life of it.
  Log connect(String process);

  /// The life of a process has come to its end; nothing that it had is used any more.
  ///
  /// @param client what [#connect] gave it
  void ended(String process, Engine engine, Log client);

  /// What a process knows of who else lives, besides what they say.
  default Presence presence(String process) {
    return Presence.none();
  }

  /// How a process that begins to live takes snapshots; null if it does not.
  default @Nullable SnapshotSettings snapshots(Container container) {
    return null;
  }
}
