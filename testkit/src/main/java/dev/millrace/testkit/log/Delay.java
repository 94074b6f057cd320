package dev.millrace.testkit.log;

import dev.millrace.testkit.Seed;
import java.time.Duration;

/// A delay that may or may not happen.
///
/// @param chance how often there is any, from 0 to 1
/// @param least the shortest
/// @param most the longest
public record Delay(double chance, Duration least, Duration most) {
  /// No delay, ever.
  public static final Delay NONE = new Delay(0, Duration.ZERO, Duration.ZERO);

  /// Always some delay up to a limit.
  public static Delay upTo(Duration most) {
    return new Delay(1, Duration.ZERO, most);
  }

  /// Always the same delay.
  public static Delay of(Duration exactly) {
    return new Delay(1, exactly, exactly);
  }

  Duration draw(Seed seed) {
    return seed.chance(chance) ? seed.between(least, most) : Duration.ZERO;
  }
}
