package dev.millrace.internal.state.snapshot;

import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskStage;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds the snapshots of a task and makes disks of them. For one thread.
final class SnapshotReader {
  private static final int LARGEST_MANIFEST = 64 << 20;

  private final BlobStore store;
  private final SnapshotOwner owner;
  private final Consumer<String> warnings;

  SnapshotReader(BlobStore store, SnapshotOwner owner, Consumer<String> warnings) {
    this.store = store;
    this.owner = owner;
    this.warnings = warnings;
  }

  BlobStore store() {
    return store;
  }

  SnapshotOwner owner() {
    return owner;
  }

  /// See [SnapshotStore#fetch].
  @Nullable SnapshotManifest fetch(DiskStage stage, Predicate<SnapshotManifest> usable) {
    List<BlobStore.Blob> manifests = store.list(owner.snapshots());
    for (BlobStore.Blob each : manifests.reversed()) {
      try {
        SnapshotManifest manifest = read(each.name());
        if (usable.test(manifest)) {
          gather(manifest, stage);
          stage.publish();
          return manifest;
        }
      } catch (BlobException e) {
        if (e.kind() == BlobException.Kind.UNAVAILABLE) {
          throw e;
        }
        warnings.accept(passedOver(each, e));
      } catch (DiskException e) {
        if (e.kind() != DiskException.Kind.CORRUPT && e.kind() != DiskException.Kind.IO) {
          throw e;
        }
        warnings.accept(passedOver(each, e));
      }
    }
    return null;
  }

  private static String passedOver(BlobStore.Blob manifest, Exception why) {
    return "The snapshot %s is skipped: %s".formatted(manifest.name(), why.getMessage());
  }

  /// @throws BlobException of kind `CORRUPT` if it is no manifest of this task
  SnapshotManifest read(String name) {
    byte[] bytes;
    try (InputStream in = store.open(name)) {
      bytes = in.readNBytes(LARGEST_MANIFEST);
    } catch (IOException e) {
      throw unreadable(name, e);
    }
    SnapshotManifest manifest = SnapshotManifest.decode(bytes, name);
    if (!manifest.owner().equals(owner)) {
      throw SnapshotManifest.corrupt(name, "is of " + manifest.owner(), null);
    }
    return manifest;
  }

  private void gather(SnapshotManifest manifest, DiskStage stage) {
    Map<String, Long> gathered = stage.files();
    Set<String> wanted =
        manifest.files().stream().map(SnapshotManifest.FileEntry::name).collect(Collectors.toSet());
    for (String name : gathered.keySet()) {
      if (!wanted.contains(name)) {
        stage.delete(name);
      }
    }
    for (SnapshotManifest.FileEntry file : manifest.files()) {
      Long size = gathered.get(file.name());
      if (size == null || size != file.sizeBytes() || !isRight(stage, file)) {
        copy(file, stage);
      }
    }
  }

  private static boolean isRight(DiskStage stage, SnapshotManifest.FileEntry file) {
    try (InputStream in = stage.open(file.name())) {
      return new HashedStream(in, file.sizeBytes()).drain().hash().equals(file.hash());
    } catch (IOException _) {
      return false; // it is fetched again
    }
  }

  private void copy(SnapshotManifest.FileEntry file, DiskStage stage) {
    String blob = owner.blobs() + file.hash();
    String found;
    try (InputStream in = store.open(blob)) {
      HashedStream hashed = new HashedStream(in, file.sizeBytes());
      stage.write(file.name(), hashed);
      found = hashed.hash();
    } catch (IOException e) {
      throw unreadable(blob, e);
    }
    if (!found.equals(file.hash())) {
      stage.delete(file.name());
      // It would be taken for present by every snapshot to come.
      store.delete(blob);
      throw SnapshotManifest.corrupt(blob, "has other content, with hash " + found, null);
    }
  }

  private static BlobException unreadable(String blob, IOException e) {
    return new BlobException(
        BlobException.Kind.UNAVAILABLE, "the blob " + blob + " could not be read: " + e, e);
  }
}
