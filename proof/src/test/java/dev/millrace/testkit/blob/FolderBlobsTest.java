package dev.millrace.testkit.blob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.state.blob.FolderBlobs;
import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.testkit.contract.BlobStoreContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class FolderBlobsTest extends BlobStoreContract {
  @TempDir private Path folder;

  @Override
  protected BlobStore store() {
    return new FolderBlobs(folder);
  }

  @Override
  protected BlobStore otherClient() {
    return new FolderBlobs(folder);
  }

  @Override
  protected void pass() {
    try {
      Thread.sleep(15);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFolderThatIsNotThereIsUnavailableAndNotCreated() {
    Path away = folder.resolve("away");
    BlobStore store = new FolderBlobs(away);
    List<Executable> all =
        List.of(
            () -> put(store, "a", "1"),
            () -> store.open("a"),
            () -> store.list(""),
            () -> store.delete("a"));
    for (var each : all) {
      BlobException failure = assertThrows(BlobException.class, each);
      assertEquals(BlobException.Kind.UNAVAILABLE, failure.kind());
      assertTrue(String.valueOf(failure.getMessage()).contains(away.toString()));
    }
    assertFalse(Files.exists(away));
  }

  @Test
  void whatAKilledProcessLeavesHalfWrittenIsNotListedAndRemovedLater() throws IOException {
    FolderBlobs store = new FolderBlobs(folder);
    put(store, "x/a", "1");
    Path old = Files.writeString(folder.resolve("x/.new-1"), "half");
    Path young = Files.writeString(folder.resolve("x/.new-2"), "half");
    long hourAgo = Instant.now().minusSeconds(3600).toEpochMilli();
    Files.setLastModifiedTime(old, FileTime.fromMillis(hourAgo - 1));
    assertEquals(List.of("x/a"), names(store, ""));
    store.deleteDrafts(hourAgo);
    assertFalse(Files.exists(old));
    assertTrue(Files.exists(young));
    assertEquals(List.of("x/a"), names(store, ""));
  }

  @Test
  void afterItIsClosedEverythingFailsAlsoWhatIsUnderWay() throws IOException {
    FolderBlobs store = new FolderBlobs(folder);
    put(store, "a", "content");
    try (InputStream in = store.open("a")) {
      assertEquals('c', in.read());
      store.close();
      assertThrows(IOException.class, in::read);
      assertThrows(IOException.class, in::readAllBytes);
    }
    assertThrows(BlobException.class, () -> put(store, "b", "content"));
    assertThrows(BlobException.class, () -> store.open("a"));
    assertThrows(BlobException.class, () -> store.list(""));
    assertEquals(List.of("a"), names(new FolderBlobs(folder), ""));
  }

  @Test
  void aLinkIsNotFollowed() throws IOException {
    Path outside = Files.writeString(folder.resolve("outside"), "secret");
    Path inside = Files.createDirectory(folder.resolve("blobs"));
    Files.createSymbolicLink(inside.resolve("a"), outside);
    FolderBlobs store = new FolderBlobs(inside);
    assertThrows(BlobException.class, () -> store.open("a"));
    assertEquals(List.of(), names(store, ""));
    store.delete("a");
    assertTrue(Files.exists(outside));
  }
}
