package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.settings.SnapshotSettings;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.blob.ModelBlobs;
import dev.millrace.testkit.disk.ModelCrash;
import dev.millrace.testkit.time.Scheduler;
import java.time.Duration;

/// The background in which the containers of a simulation copy their snapshots: events of the
/// scheduler, later than they were asked for.
record SnapshotModel(
    ModelBlobs store, Duration interval, Duration slowest, Seed seed, Scheduler scheduler) {

  /// A process of a container.
  interface Client {
    boolean isDead();

    /// Whether it stands still; it goes on later.
    boolean sleeps();

    void die();
  }

  SnapshotSettings of(Client client) {
    return new SnapshotSettings(
        store, work -> later(client, work), SnapshotConfig.defaults().withInterval(interval));
  }

  private void later(Client client, Runnable work) {
    long nanos = Math.max(1, slowest.toNanos());
    scheduler.after(
        Duration.ofNanos(seed.below((int) Math.min(Integer.MAX_VALUE, nanos))),
        () -> {
          if (client.isDead()) {
            return;
          }
          if (client.sleeps()) {
            later(client, work);
            return;
          }
          try {
            work.run();
          } catch (ModelCrash _) {
            client.die();
          }
        });
  }
}
