package dev.millrace.internal.kafka.client;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;

/// The release of `kafka-clients` on whose inside the direct data plane stands: its connection
/// layer, protocol classes and batches, none of which its authors promise to keep.
///
/// Whoever takes another release looks through what `ClientInternalsTest` lists, and changes it
/// here.
public final class ClientInternals {
  static final String RELEASE = "4.3";

  private ClientInternals() {}

  /// @param found the version on the class path, as Kafka tells it; one that it does not know, as
  ///   in an archive of all classes, is trusted
  /// @throws LogException of kind `REFUSED` if it is of another release
  public static void require(String found) {
    boolean same = found.equals(RELEASE) || found.startsWith(RELEASE + ".");
    if (!same && !found.equals("unknown")) {
      throw new LogException(
          Kind.REFUSED,
          ("kafka.data-plane is direct, which stands on the inside of kafka-clients %s, and version"
                  + " %s is on the class path. Have your build take kafka-clients %s, or use"
                  + " kafka.data-plane: official.")
              .formatted(RELEASE, found, RELEASE));
    }
  }
}
