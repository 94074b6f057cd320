package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.DiskException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A start on a full disk.
class SpaceForStartTest {
  private final AtomicBoolean stopAsked = new AtomicBoolean();
  private final SpaceForStart space = new SpaceForStart(stopAsked::get);
  private final AtomicInteger tries = new AtomicInteger();

  private static DiskException failure(DiskException.Kind kind) {
    return new DiskException(kind, "Planted.", null);
  }

  @Test
  void itWaitsUntilThereIsSpace() {
    int result =
        space.await(() -> {
          assertEquals(tries.get() > 0, space.waits());
          if (tries.incrementAndGet() < 3) {
            throw failure(DiskException.Kind.FULL);
          }
          return 7;
        });
    assertEquals(7, result);
    assertEquals(3, tries.get());
    assertFalse(space.waits());
  }

  @Test
  void aStopEndsTheWaiting() {
    assertThrows(
        SpaceForStart.StoppedException.class,
        () ->
            space.await(() -> {
              stopAsked.set(tries.incrementAndGet() == 2);
              throw failure(DiskException.Kind.FULL);
            }));
    assertEquals(2, tries.get());
    assertTrue(space.waits());
  }

  @Test
  void whatElseGoesWrongIsNotTriedAgain() {
    DiskException thrown =
        assertThrows(
            DiskException.class,
            () ->
                space.await(() -> {
                  tries.incrementAndGet();
                  throw failure(DiskException.Kind.IO);
                }));
    assertEquals(DiskException.Kind.IO, thrown.kind());
    assertEquals(1, tries.get());
  }
}
