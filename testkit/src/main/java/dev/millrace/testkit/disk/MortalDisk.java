package dev.millrace.testkit.disk;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A disk whose process may die before or behind an ingest, or before anything else.
///
/// @param begin is told what is about to be done, or was done, and throws if the process is dead
record MortalDisk(Disk real, Consumer<String> begin) implements Disk {
  /// How often it is asked at most before an ingest is ready.
  private static final int MOST_LOOKS = 16;

  @Override
  public byte @Nullable [] position() {
    return real.position();
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    begin.accept("a get");
    return real.get(key);
  }

  @Override
  public byte[] @Nullable [] multiGet(Bytes[] keys, int count) {
    begin.accept("a get of many");
    return real.multiGet(keys, count);
  }

  @Override
  public Cursor range(Bytes from, @Nullable Bytes to) {
    begin.accept("a range");
    return real.range(from, to);
  }

  @Override
  public void ingest(SortedRun run, byte[] position) {
    begin.accept("an ingest");
    real.ingest(run, position);
    begin.accept("to go on behind an ingest");
  }

  /// What is done in the background is done as slowly as the position says, so that the same run is
  /// the same again.
  @Override
  public Ingest prepare(SortedRun run, byte[] position) {
    begin.accept("to begin an ingest");
    return new Ingest() {
      private int looks = Math.floorMod(Arrays.hashCode(position), MOST_LOOKS);

      @Override
      public boolean ready() {
        return looks-- <= 0;
      }

      @Override
      public void finish() {
        ingest(run, position);
      }
    };
  }

  @Override
  public @Nullable DiskImage image() {
    begin.accept("an image");
    return real.image();
  }

  @Override
  public long sizeBytes() {
    return real.sizeBytes();
  }

  @Override
  public long sizeBytes(Bytes from, Bytes to) {
    return real.sizeBytes(from, to);
  }

  @Override
  public void close() {
    real.close();
  }
}
