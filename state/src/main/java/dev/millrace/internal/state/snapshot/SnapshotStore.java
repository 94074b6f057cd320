package dev.millrace.internal.state.snapshot;

import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.DiskStage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Puts and fetches the snapshots of one task's disk, from its opening to its closing. It caches
/// the hashes of files that do not change in that time. For one thread at a time. All methods wait
/// for the blob store and throw its [BlobException]s.
public final class SnapshotStore {
  /// How many snapshots are kept.
  public static final int KEPT = 2;

  /// How long a blob may be stored before a manifest names it.
  public static final Duration GRACE = Duration.ofHours(2);

  private static final int CHECKS = 3;

  private final BlobStore store;
  private final SnapshotOwner owner;
  private final SnapshotReader reader;
  private final SnapshotCollector collector;
  private final Map<String, SnapshotManifest.FileEntry> lasting = new HashMap<>();

  /// The result of putting a snapshot.
  public record Put(SnapshotManifest manifest, long copiedBytes) {}

  /// @param warnings gets sentences about snapshots that cannot be used
  public SnapshotStore(BlobStore store, SnapshotOwner owner, Consumer<String> warnings) {
    this(store, owner, KEPT, GRACE, warnings);
  }

  /// @param kept how many snapshots are kept
  /// @param grace how old a blob must be to be deleted if no manifest names it: longer than putting
  ///   a snapshot takes
  public SnapshotStore(
      BlobStore store, SnapshotOwner owner, int kept, Duration grace, Consumer<String> warnings) {
    this.store = store;
    this.owner = owner;
    reader = new SnapshotReader(store, owner, warnings);
    collector = new SnapshotCollector(reader, kept, grace);
  }

  /// Puts a snapshot: copies the files that no earlier snapshot has, then the manifest, and deletes
  /// blobs that are not needed any more.
  ///
  /// @param offset the first offset of the changelog that is not in the image
  /// @throws IOException if the image cannot be read
  public Put put(DiskImage image, long offset) throws IOException {
    List<SnapshotManifest.FileEntry> files = new ArrayList<>();
    for (DiskImage.File file : image.files()) {
      files.add(hashed(image, file));
    }
    lasting.keySet().retainAll(image.files().stream().map(DiskImage.File::name).toList());
    SnapshotManifest manifest = new SnapshotManifest(owner, offset, image.position(), files);
    long copied = copyMissing(image, files);
    byte[] bytes = manifest.encode();
    String name =
        "%s%019d-%s"
            .formatted(owner.snapshots(), offset, HashedStream.hash(bytes).substring(0, 16));
    store.put(name, bytes.length, new ByteArrayInputStream(bytes));
    long again = copyMissing(image, files);
    for (int check = 1; again > 0; check++) {
      if (check == CHECKS) {
        throw new BlobException(
            BlobException.Kind.UNAVAILABLE,
            "blobs under " + owner.blobs() + " are deleted as soon as they are put",
            null);
      }
      copied += again;
      again = copyMissing(image, files);
    }
    collector.collect(name);
    return new Put(manifest, copied);
  }

  /// Restores a disk from the newest usable snapshot, and logs a warning for broken ones, which are
  /// skipped. Files that were collected before are not fetched again.
  ///
  /// @param stage of the task; published if there is one
  /// @param usable whether a snapshot is one to go on from
  /// @return null if there is none
  public @Nullable SnapshotManifest fetch(DiskStage stage, Predicate<SnapshotManifest> usable) {
    return reader.fetch(stage, usable);
  }

  private SnapshotManifest.FileEntry hashed(DiskImage image, DiskImage.File file)
      throws IOException {
    SnapshotManifest.FileEntry known = lasting.get(file.name());
    if (file.lasting() && known != null && known.sizeBytes() == file.sizeBytes()) {
      return known;
    }
    try (InputStream in = image.open(file.name())) {
      String hash = new HashedStream(in, file.sizeBytes()).drain().hash();
      SnapshotManifest.FileEntry entry =
          new SnapshotManifest.FileEntry(file.name(), file.sizeBytes(), hash);
      if (file.lasting()) {
        lasting.put(file.name(), entry);
      }
      return entry;
    }
  }

  /// Puts contents that are missing, or have another size than expected.
  ///
  /// @return how many bytes
  private long copyMissing(DiskImage image, List<SnapshotManifest.FileEntry> files)
      throws IOException {
    Map<String, Long> present = new HashMap<>();
    store.list(owner.blobs()).forEach(blob -> present.put(blob.name(), blob.sizeBytes()));
    long copied = 0;
    for (SnapshotManifest.FileEntry file : files) {
      String blob = owner.blobs() + file.hash();
      Long size = present.get(blob);
      if (size == null || size != file.sizeBytes()) {
        if (size != null) {
          store.delete(blob);
        }
        copy(image, file, blob);
        present.put(blob, file.sizeBytes());
        copied += file.sizeBytes();
      }
    }
    return copied;
  }

  private void copy(DiskImage image, SnapshotManifest.FileEntry file, String blob)
      throws IOException {
    try (InputStream in = image.open(file.name())) {
      HashedStream hashed = new HashedStream(in, file.sizeBytes());
      boolean put = store.put(blob, file.sizeBytes(), hashed);
      if (put && !hashed.hash().equals(file.hash())) {
        store.delete(blob);
        throw new IOException("The file " + file.name() + " returns different content each time.");
      }
    }
  }
}
