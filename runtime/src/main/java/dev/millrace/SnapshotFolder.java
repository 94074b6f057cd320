package dev.millrace;

import dev.millrace.internal.engine.settings.SnapshotSettings;
import dev.millrace.internal.state.blob.FolderBlobs;
import dev.millrace.spi.BlobException;
import dev.millrace.spi.settings.SnapshotConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of a job's snapshots, and the threads that copy them there.
final class SnapshotFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotFolder.class);
  private static final int COPIES_AT_A_TIME = 2;
  private static final Duration DRAFTS_KEPT = Duration.ofDays(1);
  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final FolderBlobs blobs;
  private final SnapshotConfig config;
  private final ExecutorService background;

  private SnapshotFolder(Path folder, SnapshotConfig config, String application) {
    blobs = new FolderBlobs(folder);
    this.config = config;
    background =
        Executors.newFixedThreadPool(
            COPIES_AT_A_TIME,
            Thread.ofVirtual().name("millrace-" + application + "-snapshots-", 0).factory());
    background.execute(() -> deleteDrafts(folder));
  }

  /// @return null if none is wanted
  static @Nullable SnapshotFolder of(SnapshotConfig config, String application) {
    Path folder = config.store();
    return folder == null ? null : new SnapshotFolder(folder, config, application);
  }

  SnapshotSettings settings() {
    return new SnapshotSettings(blobs, background, config);
  }

  private void deleteDrafts(Path folder) {
    try {
      blobs.deleteDrafts(System.currentTimeMillis() - DRAFTS_KEPT.toMillis());
    } catch (BlobException e) {
      LOG.warn("Folder {} cannot be used for snapshots now: {}", folder, e.getMessage());
    }
  }

  /// Ends what is being copied or fetched, without waiting for it: the job ends.
  void end() {
    blobs.close();
    background.shutdown();
  }

  /// Waits a while for copies that have not noticed that the job has ended: they read local state.
  @Override
  public void close() {
    end();
    try {
      if (!background.awaitTermination(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("A snapshot is still being copied, because its folder does not answer.");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
