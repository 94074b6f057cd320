package dev.millrace.internal.engine.planted;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/// Things that stand near to what is banned, and that the engine may do. Nothing here is ever
/// called.
public final class Allowed {
  private Allowed() {}

  static Instant fromClock(Clock clock) {
    return Instant.now(clock);
  }

  static Instant fromMillis(long millis) {
    return Instant.ofEpochMilli(millis).plus(Duration.ofSeconds(1));
  }

  static Random seeded(long seed) {
    return new Random(seed);
  }

  static SplittableRandom seededToo(long seed) {
    return new SplittableRandom(seed);
  }

  static CompletableFuture<Void> onExecutor(Runnable work, Executor executor) {
    return CompletableFuture.runAsync(work, executor);
  }

  static void spins() {
    Thread.onSpinWait();
  }

  static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  static Map<String, String> ordered(Map<String, String> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(new TreeMap<>(map)));
  }

  static Map.Entry<String, String> entry() {
    return Map.entry("a", "b");
  }

  static Stream<String> stream() {
    return List.of("a", "b").stream();
  }

  static String names(Path path, URI uri) {
    return path + " " + uri;
  }
}
