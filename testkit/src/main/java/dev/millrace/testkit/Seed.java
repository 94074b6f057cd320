package dev.millrace.testkit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/// The source of all randomness of a test: the same number gives the same run.
///
/// Each part of a simulation takes its own stream with [#fork], so that the draws of one part never
/// change those of another. Used by one thread.
public final class Seed {
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final long value;
  private final SplittableRandom random;

  public Seed(long value) {
    this.value = value;
    random = new SplittableRandom(value);
  }

  /// Returns the number with which this stream began, and which replays it.
  public long value() {
    return value;
  }

  /// Returns a separate stream that depends only on this stream's number and the name, not on what
  /// was drawn so far.
  public Seed fork(String name) {
    long hash = FNV_BASIS;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * FNV_PRIME;
    }
    return new Seed(new SplittableRandom(value ^ hash).nextLong());
  }

  public long nextLong() {
    return random.nextLong();
  }

  /// Draws a number from 0 to `bound - 1`.
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /// Draws a number from `least` to `most`, both included.
  public int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /// Draws a duration from `least` to `most`, both included, in steps of a nanosecond.
  public Duration between(Duration least, Duration most) {
    return Duration.ofNanos(random.nextLong(least.toNanos(), most.toNanos() + 1));
  }

  public boolean coin() {
    return random.nextBoolean();
  }

  /// Returns true with this probability. Draws nothing for 0 and 1.
  public boolean chance(double probability) {
    return probability >= 1 || (probability > 0 && random.nextDouble() < probability);
  }

  public <T> T pick(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  public void shuffle(List<?> list) {
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, below(i + 1));
    }
  }

  public byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  @Override
  public String toString() {
    return "seed " + value;
  }
}
