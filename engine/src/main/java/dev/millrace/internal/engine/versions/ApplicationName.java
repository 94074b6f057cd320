package dev.millrace.internal.engine.versions;

/// The name of an application, and the name under which it is stored, which is the first one that
/// it had.
///
/// @param name what it is called, also in logs, metrics and commands
/// @param storage what its topics, consumer group, transactional ids, directories and snapshots are
///   named after, however often it is renamed
public record ApplicationName(String name, String storage) {
  /// Returns the name of an application that was never renamed.
  public static ApplicationName of(String name) {
    return new ApplicationName(name, name);
  }
}
