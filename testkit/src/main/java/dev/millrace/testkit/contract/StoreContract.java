package dev.millrace.testkit.contract;

import dev.millrace.spi.Disks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Tests stores on a kind of disk, in every setting: random operations on two stores, one read by
/// key and one also in ranges, compared with an oracle.
public abstract class StoreContract {
  /// Opens the disks. Called again only after the disks of the last call are closed.
  protected abstract Disks openDisks();

  /// A cell of the matrix.
  ///
  /// @param cacheBytes for decoded objects
  /// @param expires whether values have a time to live
  /// @param flushEvery about how many commits lie between two flushes; 0 for none at all
  record Cell(long cacheBytes, boolean expires, int flushEvery) {
    @Override
    public String toString() {
      return "cache of %d, %s, %s"
          .formatted(
              cacheBytes,
              expires ? "values expire" : "values stay",
              flushEvery == 0 ? "never flushed" : "flushed every " + flushEvery + " commits");
    }
  }

  /// Which random histories to try in each cell.
  protected int seeds() {
    return 3;
  }

  /// How long each of them is.
  protected int operations() {
    return 600;
  }

  @TestFactory
  Stream<DynamicTest> storesAreWhatTheOracleSays() {
    List<DynamicTest> tests = new ArrayList<>();
    for (long cacheBytes : new long[] {0, 1_500, 1 << 20}) {
      for (boolean expires : new boolean[] {false, true}) {
        for (int flushEvery : new int[] {0, 1, 4}) {
          Cell cell = new Cell(cacheBytes, expires, flushEvery);
          tests.add(DynamicTest.dynamicTest(cell.toString(), () -> run(cell)));
        }
      }
    }
    return tests.stream();
  }

  private void run(Cell cell) {
    for (long seed = 1; seed <= seeds(); seed++) {
      try {
        new StoreModel(this::openDisks, cell, seed).run(operations());
      } catch (AssertionError | RuntimeException failure) { // outermost: to say which seed
        throw new AssertionError(cell + ", seed " + seed, failure);
      }
    }
  }
}
