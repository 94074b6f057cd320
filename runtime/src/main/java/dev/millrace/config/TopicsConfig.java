package dev.millrace.config;

/// What happens to topics that do not exist.
///
/// @param create whether to create them; otherwise the job stops and prints the commands
public record TopicsConfig(boolean create) {

  public static TopicsConfig defaults() {
    return new TopicsConfig(true);
  }
}
