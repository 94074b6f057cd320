package dev.millrace.benchmarks.localstate;

import java.util.Optional;

/// Where the state is.
public enum Storing {
  /// In memory; a crash loses it.
  IN_MEMORY,
  IN_MEMORY_CHANGELOG,
  /// On disk, with a cache; what was lost with the disk is lost.
  ON_DISK,
  ON_DISK_CHANGELOG,
  /// On disk, with so little memory that the cache holds next to nothing; as without a changelog.
  ON_DISK_NO_CACHE,
  /// In Redis on the same machine: a request for all that a slice of records reads, and one for all
  /// that it writes.
  REMOTE,
  /// The same, but a request for each that is read and each that is written, one after the other.
  REMOTE_EACH;

  /// A request takes so long that a small part of the records says enough.
  private static final int FEWER = 40;

  boolean remote() {
    return this == REMOTE || this == REMOTE_EACH;
  }

  boolean changelog() {
    return this == IN_MEMORY_CHANGELOG || this == ON_DISK_CHANGELOG;
  }

  boolean inMemory() {
    return this == IN_MEMORY || this == IN_MEMORY_CHANGELOG;
  }

  /// Of so many records, those that it processes.
  long records(long all) {
    return this == REMOTE_EACH ? Math.max(1, all / FEWER) : all;
  }

  /// The one without a changelog that is the same otherwise.
  Optional<Storing> withoutChangelog() {
    return switch (this) {
      case IN_MEMORY_CHANGELOG -> Optional.of(IN_MEMORY);
      case ON_DISK_CHANGELOG -> Optional.of(ON_DISK);
      default -> Optional.empty();
    };
  }
}
