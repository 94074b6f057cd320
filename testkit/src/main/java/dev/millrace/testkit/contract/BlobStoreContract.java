package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import dev.millrace.spi.BlobStore.Blob;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests the contract that every [BlobStore] must keep.
public abstract class BlobStoreContract {
  private static final int LARGE_BYTES = 3_000_001;

  /// Returns an empty store.
  protected abstract BlobStore store();

  /// Returns a second client of the same store.
  protected abstract BlobStore otherClient();

  @Test
  void whatWasPutIsThereForEveryClient() throws IOException {
    BlobStore store = store();
    assertTrue(put(store, "app/1-3/file_1.sst", "content"));
    for (BlobStore each : List.of(store, otherClient())) {
      assertArrayEquals(bytes("content"), read(each, "app/1-3/file_1.sst"));
    }
  }

  @Test
  void emptyAndLargeContentsAreKept() throws IOException {
    BlobStore store = store();
    byte[] large = new byte[LARGE_BYTES];
    new Random(3).nextBytes(large);
    assertTrue(put(store, "empty", ""));
    assertTrue(store.put("large", large.length, new ByteArrayInputStream(large)));
    assertArrayEquals(new byte[0], read(store, "empty"));
    assertArrayEquals(large, read(store, "large"));
    assertEquals(
        List.of("empty 0", "large " + LARGE_BYTES),
        store.list("").stream().map(blob -> blob.name() + " " + blob.sizeBytes()).toList());
  }

  @Test
  void aBlobThatIsThereIsNotReplaced() throws IOException {
    BlobStore store = store();
    assertTrue(put(store, "a", "first"));
    assertFalse(put(otherClient(), "a", "second"));
    assertArrayEquals(bytes("first"), read(store, "a"));
  }

  @Test
  void aContentOfAnotherSizeOrThatCannotBeReadIsNotPut() throws IOException {
    BlobStore store = store();
    for (int size : new int[] {0, 6, 8}) {
      assertThrows(
          IOException.class,
          () -> store.put("a", size, new ByteArrayInputStream(bytes("content"))));
    }
    assertThrows(IOException.class, () -> store.put("a", 7, new Failing(3)));
    assertThrows(UnsupportedOperationException.class, () -> store.put("a", 7, new Failing(-1)));
    assertEquals(List.of(), names(store, ""));
    assertTrue(put(store, "a", "content"));
  }

  @Test
  void whatIsNotThereIsMissing() {
    BlobStore store = store();
    BlobException failure = assertThrows(BlobException.class, () -> store.open("a/b"));
    assertEquals(BlobException.Kind.MISSING, failure.kind());
    assertTrue(String.valueOf(failure.getMessage()).contains("a/b"), failure.getMessage());
    store.delete("a/b");
    assertEquals(List.of(), names(store, ""));
    assertEquals(List.of(), names(store, "a/b/"));
  }

  @Test
  void aDeletedBlobIsGoneAndMayComeBack() throws IOException {
    BlobStore store = store();
    put(store, "a/1", "one");
    put(store, "a/2", "two");
    otherClient().delete("a/1");
    assertEquals(List.of("a/2"), names(store, ""));
    assertThrows(BlobException.class, () -> store.open("a/1"));
    assertTrue(put(store, "a/1", "again"));
    assertArrayEquals(bytes("again"), read(store, "a/1"));
  }

  @Test
  void aBlobThatIsDeletedWhileItIsReadNeverEndsEarlyInSilence() throws IOException {
    BlobStore store = store();
    byte[] large = new byte[LARGE_BYTES];
    new Random(4).nextBytes(large);
    store.put("large", large.length, new ByteArrayInputStream(large));
    try (InputStream in = store.open("large")) {
      byte[] begin = in.readNBytes(1000);
      store.delete("large");
      byte[] rest = readOrFail(in);
      if (rest != null) {
        assertEquals(LARGE_BYTES, begin.length + rest.length);
      }
    }
  }

  private static byte @Nullable [] readOrFail(InputStream in) {
    try {
      return in.readAllBytes();
    } catch (IOException e) {
      assertNotNull(e.getMessage());
      return null;
    }
  }

  @Test
  void aListHasTheNamesUnderAPrefixInOrder() throws IOException {
    BlobStore store = store();
    for (String name : List.of("b/2", "b/10", "b-c/1", "a", "b/x/y", "B/1", "b.c/1")) {
      put(store, name, name);
    }
    assertEquals(List.of("B/1", "a", "b-c/1", "b.c/1", "b/10", "b/2", "b/x/y"), names(store, ""));
    assertEquals(List.of("b/10", "b/2", "b/x/y"), names(store, "b/"));
    assertEquals(List.of("b/x/y"), names(store, "b/x/"));
    assertEquals(List.of(), names(store, "c/"));
    for (Blob blob : store.list("")) {
      assertEquals(blob.name().length(), blob.sizeBytes());
    }
  }

  @Test
  void aListSaysWhenABlobWasPut() throws IOException {
    BlobStore store = store();
    put(store, "first", "1");
    pass();
    put(store, "second", "2");
    put(store, "first", "not put");
    List<Blob> blobs = store.list("");
    assertTrue(blobs.get(0).modifiedMillis() < blobs.get(1).modifiedMillis(), blobs.toString());
  }

  /// Advances the store's clock by some milliseconds.
  protected abstract void pass();

  @Test
  void namesAreChecked() {
    BlobStore store = store();
    for (String name :
        List.of(
            "",
            "/",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "a/..",
            "../a",
            "a/./b",
            ".a",
            "a/.b",
            "a b",
            "a\\b",
            "ä",
            "a\0",
            "a\n",
            "a".repeat(501),
            "a:b",
            "~",
            "a/*")) {
      assertThrows(IllegalArgumentException.class, () -> put(store, name, "x"), name);
      assertThrows(IllegalArgumentException.class, () -> store.open(name), name);
      assertThrows(IllegalArgumentException.class, () -> store.delete(name), name);
      if (!name.isEmpty() && !name.equals("a/")) {
        assertThrows(IllegalArgumentException.class, () -> store.list(name), name);
      }
    }
    assertThrows(IllegalArgumentException.class, () -> store.list("a"));
    assertEquals(List.of(), names(store, ""));
  }

  @Test
  void ofManyPutsAtOnceOneIsThereWhole() throws InterruptedException, IOException {
    List<String> names = List.of("x/1", "x/2", "x/y/3");
    List<byte[]> contents = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      byte[] content = new byte[100_000];
      new Random(writer).nextBytes(content);
      contents.add(content);
    }
    BlobStore store = store();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicInteger put = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (byte[] content : contents) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  start.await();
                  for (String name : names) {
                    if (store.put(name, content.length, new ByteArrayInputStream(content))) {
                      put.incrementAndGet();
                    }
                  }
                } catch (IOException | BlobException | InterruptedException e) {
                  failures.add(e);
                }
              }));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
    assertTrue(put.get() >= names.size(), put + " puts");
    assertEquals(names, names(store, ""));
    for (String name : names) {
      byte[] found = read(store, name);
      assertTrue(contents.stream().anyMatch(content -> Arrays.equals(content, found)), name);
    }
  }

  protected static boolean put(BlobStore store, String name, String content) throws IOException {
    byte[] bytes = bytes(content);
    return store.put(name, bytes.length, new ByteArrayInputStream(bytes));
  }

  protected static byte[] read(BlobStore store, String name) throws IOException {
    try (InputStream in = store.open(name)) {
      return in.readAllBytes();
    }
  }

  protected static List<String> names(BlobStore store, String prefix) {
    return store.list(prefix).stream().map(Blob::name).toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Fails after some bytes; with less than none at once, and in another way.
  private static final class Failing extends InputStream {
    private int left;

    Failing(int bytes) {
      left = bytes;
    }

    @Override
    public int read() throws IOException {
      return read(new byte[1], 0, 1);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left < 0) {
        throw new UnsupportedOperationException("the content fails on purpose");
      }
      if (left == 0) {
        throw new IOException("The content fails on purpose.");
      }
      int read = Math.min(left, length);
      left -= read;
      return read;
    }
  }
}
