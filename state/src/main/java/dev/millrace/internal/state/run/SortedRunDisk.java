package dev.millrace.internal.state.run;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.local.OpenDisks;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A disk of sorted runs; see the package for how it works.
///
/// Everything is synced, so an ingest that has returned survives a loss of power. An ingest that
/// fails before its manifest is published leaves no trace and may be tried again. If publishing
/// itself fails, it is unknown which manifest is valid until the disk is opened again: from then on
/// all methods of this object fail with kind `IO`.
///
/// A cursor reads the runs that were there when it was made, and fails with an
/// `IllegalStateException` if used after an ingest.
public final class SortedRunDisk implements Disk {
  private static final int WORTH_MERGING = 2;

  private final TaskFiles files;
  private final int mostRuns;
  private final Runnable afterClose;
  private final Set<RangeCursor> cursors = new HashSet<>();
  private Manifest manifest;
  private List<RunReader> runs;
  private boolean closed;

  /// Whether there may be files that the manifest does not name.
  private boolean untidy;

  private @Nullable DiskException unknownSince;

  SortedRunDisk(TaskFiles files, int mostRuns, Runnable afterClose) {
    this.files = files;
    this.mostRuns = mostRuns;
    this.afterClose = afterClose;
    manifest = files.recover();
    runs = openAll(manifest);
  }

  @Override
  public byte @Nullable [] position() {
    requireUsable();
    byte[] position = manifest.position();
    return position == null ? null : position.clone();
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    requireUsable();
    AscendingRun.requireKey(key);
    for (RunReader run : runs.reversed()) {
      RunReader.Found found = run.find(key);
      if (found != null) {
        return found.value();
      }
    }
    return null;
  }

  @Override
  public byte[] @Nullable [] multiGet(Bytes[] keys, int count) {
    requireUsable();
    Objects.checkFromToIndex(0, count, keys.length);
    byte[] @Nullable [] values = new byte[count] @Nullable [];
    for (int i = 0; i < count; i++) {
      values[i] = get(keys[i]);
    }
    return values;
  }

  @Override
  public Cursor range(Bytes from, @Nullable Bytes to) {
    requireUsable();
    RangeCursor cursor = new RangeCursor(merged(runs, from, false), to == null ? null : to.copy());
    cursors.add(cursor);
    return cursor;
  }

  @Override
  public void ingest(SortedRun run, byte[] position) {
    requireUsable();
    tidy();
    mergeIfTooMany();
    AscendingRun ascending = new AscendingRun(run);
    boolean any = ascending.next();
    replace(runs, any ? new Reread(ascending) : null, position.clone());
  }

  @Override
  public @Nullable DiskImage image() {
    requireUsable();
    byte[] position = manifest.position();
    return position == null ? null : SortedRunImage.take(files, manifest, position.clone());
  }

  @Override
  public long sizeBytes() {
    requireUsable();
    return manifest.runs().stream().mapToLong(Manifest.RunName::lengthBytes).sum();
  }

  @Override
  public long sizeBytes(Bytes from, Bytes to) {
    requireUsable();
    return runs.stream()
        .mapToLong(run -> Math.max(0, run.bytesBefore(to) - run.bytesBefore(from)))
        .sum();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    endCursors();
    try {
      closeAll(runs);
    } finally {
      afterClose.run();
    }
  }

  /// Merges the newest runs, as many as are of about one size, when the next would be one too many.
  /// So a run is rewritten a number of times that grows with the logarithm of the state.
  private void mergeIfTooMany() {
    if (runs.size() < mostRuns) {
      return;
    }
    int first = runs.size() - 2;
    long bytes = runs.get(first).name().lengthBytes() + runs.getLast().name().lengthBytes();
    while (first > 0 && runs.get(first - 1).name().lengthBytes() <= WORTH_MERGING * bytes) {
      first--;
      bytes += runs.get(first).name().lengthBytes();
    }
    List<RunReader> older = runs.subList(0, first);
    List<RunReader> newer = runs.subList(first, runs.size());
    replace(older, merged(newer, new Bytes(), !older.isEmpty()), manifest.position());
    untidy = true;
    try {
      closeAll(newer);
    } finally {
      tidy();
    }
  }

  /// Publishes a manifest with the kept runs, then the added one. Open cursors become invalid.
  private void replace(
      List<RunReader> kept, @Nullable SortedRun added, byte @Nullable [] nextPosition) {
    endCursors();
    List<RunReader> nextRuns = new ArrayList<>(kept);
    Manifest next = stage(nextRuns, added, nextPosition);
    try {
      files.publish();
    } catch (DiskException e) {
      runs = Stream.concat(runs.stream(), nextRuns.stream()).distinct().toList();
      unknownSince = e;
      throw unknown(e);
    }
    manifest = next;
    runs = List.copyOf(nextRuns);
  }

  private DiskException unknown(DiskException cause) {
    return new DiskException(
        DiskException.Kind.IO,
        files.describe()
            + " could not be replaced, and it is unknown which one is valid; close the task's disk"
            + " and open it again",
        cause);
  }

  private Manifest stage(
      List<RunReader> nextRuns, @Nullable SortedRun added, byte @Nullable [] nextPosition) {
    boolean staged = false;
    RunReader opened = null;
    untidy = true;
    try {
      if (added != null) {
        opened = files.open(files.write(added));
        nextRuns.add(opened);
      }
      Manifest next = new Manifest(nextPosition, nextRuns.stream().map(RunReader::name).toList());
      files.stage(next);
      untidy = false;
      staged = true;
      return next;
    } finally {
      if (!staged) {
        if (opened != null) {
          opened.close();
        }
        tidyIfPossible();
      }
    }
  }

  /// Deletes what a failed ingest or a merge has left.
  private void tidy() {
    if (files.takeReleased()) {
      untidy = true;
    }
    if (untidy) {
      files.discard(manifest);
      untidy = false;
    }
  }

  /// After a failure, which is what the caller is told: if tidying fails too, the next ingest will
  /// try it again and tell.
  private void tidyIfPossible() {
    try {
      tidy();
    } catch (DiskException e) {
      untidy = true;
    }
  }

  private static MergedRuns merged(List<RunReader> oldestFirst, Bytes from, boolean keepDeletions) {
    return new MergedRuns(
        oldestFirst.reversed().stream().map(run -> run.cursor(from)).toList(), keepDeletions);
  }

  private List<RunReader> openAll(Manifest wanted) {
    List<RunReader> opened = new ArrayList<>();
    boolean complete = false;
    try {
      wanted.runs().forEach(name -> opened.add(files.open(name)));
      complete = true;
      return opened;
    } finally {
      if (!complete) {
        closeAll(opened);
      }
    }
  }

  private static void closeAll(List<RunReader> runs) {
    OpenDisks.closeAll(runs.stream().<Runnable>map(run -> run::close).toList());
  }

  private void endCursors() {
    cursors.forEach(cursor -> cursor.ended = true);
    cursors.clear();
  }

  private void requireUsable() {
    if (closed) {
      throw new IllegalStateException("the disk of " + files.describe() + " is closed");
    }
    if (unknownSince != null) {
      throw unknown(unknownSince);
    }
  }

  /// A run whose first entry was already moved to.
  private static final class Reread implements SortedRun {
    private final SortedRun run;
    private boolean atFirst = true;

    Reread(SortedRun run) {
      this.run = run;
    }

    @Override
    public boolean next() {
      if (atFirst) {
        atFirst = false;
        return true;
      }
      return run.next();
    }

    @Override
    public Bytes key() {
      return run.key();
    }

    @Override
    public @Nullable Bytes value() {
      return run.value();
    }
  }

  private final class RangeCursor implements Cursor {
    private final MergedRuns entries;
    private final @Nullable Bytes to;
    private boolean atEntry;
    private boolean ended;

    RangeCursor(MergedRuns entries, @Nullable Bytes to) {
      this.entries = entries;
      this.to = to;
    }

    @Override
    public boolean next() {
      if (ended) {
        throw new IllegalStateException("the cursor is closed, or the disk was written since");
      }
      atEntry = entries.next() && (to == null || entries.key().compareTo(to) < 0);
      return atEntry;
    }

    @Override
    public Bytes key() {
      requireEntry();
      return entries.key();
    }

    @Override
    public Bytes value() {
      requireEntry();
      return Objects.requireNonNull(entries.value(), "a deleted key in a range");
    }

    @Override
    public void close() {
      ended = true;
      cursors.remove(this);
    }

    private void requireEntry() {
      if (ended || !atEntry) {
        throw new IllegalStateException("the cursor is not at an entry");
      }
    }
  }
}
