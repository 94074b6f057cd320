package dev.millrace.internal.state.snapshot;

import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.spi.BlobStore.Blob;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Deletes what no snapshot needs any more; the package says why that is safe.
final class SnapshotCollector {
  private final SnapshotReader reader;
  private final BlobStore store;
  private final SnapshotOwner owner;
  private final int kept;
  private final Duration grace;

  SnapshotCollector(SnapshotReader reader, int kept, Duration grace) {
    this.reader = reader;
    this.kept = kept;
    this.grace = grace;
    store = reader.store();
    owner = reader.owner();
  }

  /// Deletes old manifests: it keeps one that was just put, the newest before it, and all after it.
  void collect(String justPut) {
    List<Blob> blobs = store.list(owner.blobs());
    List<Blob> manifests = store.list(owner.snapshots());
    int mine = 0;
    while (mine < manifests.size() && !manifests.get(mine).name().equals(justPut)) {
      mine++;
    }
    if (mine == manifests.size()) {
      return; // it was collected by somebody who is further
    }
    for (int i = 0; i <= mine - kept; i++) {
      store.delete(manifests.get(i).name());
    }
    // By the store's own clock.
    long before = manifests.get(mine).modifiedMillis() - grace.toMillis();
    Set<String> named = new HashSet<>();
    for (Blob manifest : manifests.subList(Math.max(0, mine - kept + 1), manifests.size())) {
      addNamed(manifest.name(), named);
    }
    for (Blob blob : blobs) {
      if (!named.contains(blob.name()) && blob.modifiedMillis() < before) {
        store.delete(blob.name());
      }
    }
  }

  private void addNamed(String manifest, Set<String> named) {
    try {
      for (SnapshotManifest.FileEntry file : reader.read(manifest).files()) {
        named.add(owner.blobs() + file.hash());
      }
    } catch (BlobException e) {
      if (e.kind() == BlobException.Kind.UNAVAILABLE) {
        throw e; // what it names is not known
      }
    }
  }
}
