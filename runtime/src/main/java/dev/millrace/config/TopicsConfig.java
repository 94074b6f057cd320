package dev.millrace.config;

/// What happens to topics that do not exist.
///
/// @param create whether to create them; otherwise the job stops and prints the commands
public record TopicsConfig(boolean create) {

  /// Returns the defaults: missing topics are created.
  public static TopicsConfig defaults() {
    return new TopicsConfig(true);
  }

  /// Returns a copy that creates missing topics, as by default, or stops and prints the commands.
  public TopicsConfig withCreate(boolean newCreate) {
    return new TopicsConfig(newCreate);
  }
}
