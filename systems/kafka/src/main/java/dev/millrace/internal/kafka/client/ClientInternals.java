package dev.millrace.internal.kafka.client;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;

/// The release of `kafka-clients` whose internal classes the direct data plane uses: its connection
/// layer, protocol classes and batches, none of which are a stable API.
///
/// To use another release, check the classes that `ClientInternalsTest` lists, and change the
/// version here.
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
          ("kafka.data-plane is direct, which uses internal classes of kafka-clients %s, but"
                  + " version %s is on the class path. Use kafka-clients %s in your build, or set"
                  + " kafka.data-plane: official.")
              .formatted(RELEASE, found, RELEASE));
    }
  }
}
