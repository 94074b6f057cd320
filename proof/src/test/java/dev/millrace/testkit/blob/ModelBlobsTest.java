package dev.millrace.testkit.blob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.testkit.contract.BlobStoreContract;
import dev.millrace.testkit.disk.ModelCrash;
import dev.millrace.testkit.time.VirtualClock;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ModelBlobsTest extends BlobStoreContract {
  private final VirtualClock clock = new VirtualClock();
  private final ModelBlobs blobs = new ModelBlobs(1, clock);

  @Override
  protected BlobStore store() {
    return blobs;
  }

  @Override
  protected BlobStore otherClient() {
    return blobs;
  }

  @Override
  protected void pass() {
    clock.advance(Duration.ofMillis(5));
  }

  @Test
  void aPutThatFailedHasHappenedOrNot() throws IOException {
    blobs.failing(1);
    for (int i = 0; i < 50; i++) {
      String name = "b" + i;
      BlobException failure = assertThrows(BlobException.class, () -> put(blobs, name, "content"));
      assertEquals(BlobException.Kind.UNAVAILABLE, failure.kind());
    }
    blobs.failing(0);
    int there = names(blobs, "").size();
    assertTrue(there > 5 && there < 45, there + " of 50");
  }

  @Test
  void aLateDeletionTakesWhatWasPutMeanwhile() throws IOException {
    blobs.deletingLate(true);
    int lost = 0;
    for (int i = 0; i < 50; i++) {
      String name = "b" + i;
      put(blobs, name, "content");
      blobs.delete(name);
      boolean back = put(blobs, name, "again");
      for (int j = 0; j < 40; j++) {
        names(blobs, "");
      }
      boolean there = names(blobs, "").contains(name);
      assertEquals(back, there, "it was deleted in time, or takes what is there");
      lost += there ? 0 : 1;
    }
    assertTrue(lost > 10, lost + " of 50");
  }

  @Test
  void aClientDiesInARequestAndOthersGoOn() throws IOException {
    blobs.crashAfter(1);
    put(blobs, "a", "1");
    assertThrows(ModelCrash.class, () -> put(blobs, "b", "2"));
    blobs.delete("b");
    assertTrue(put(blobs, "b", "3"));
    assertFalse(put(blobs, "a", "3"));
  }

  @Test
  void aSlowStoreTakesTime() throws IOException {
    blobs.slow(Duration.ofSeconds(10));
    long before = clock.nanos();
    put(blobs, "a", "1");
    names(blobs, "");
    assertTrue(clock.nanos() > before);
  }
}
