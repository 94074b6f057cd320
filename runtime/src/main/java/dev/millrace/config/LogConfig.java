package dev.millrace.config;

/// Which log carries the records, the changelogs and the commits of a job.
///
/// @param kind where it is
public record LogConfig(Kind kind) {

  /// Where a log can be.
  public enum Kind {
    /// In Kafka.
    KAFKA,
    /// In the memory of this process, which nobody else can use, and which is gone with the
    /// process.
    MEMORY
  }

  /// Returns the defaults: Kafka.
  public static LogConfig defaults() {
    return new LogConfig(Kind.KAFKA);
  }

  /// Returns a copy with a log elsewhere; in Kafka by default.
  public LogConfig withKind(Kind newKind) {
    return new LogConfig(newKind);
  }

  /// Returns whether the log is in the memory of this process.
  public boolean isInMemory() {
    return kind == Kind.MEMORY;
  }
}
