package dev.millrace.api.connector;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Several topics of the log that the job runs on, which are described alike.
///
/// @param <T> the source or sink that one of them is
public final class LogTopics<T> {
  private final TopicSettings settings;
  private final TopicChoice choice;
  private final Function<String, T> each;
  private final Map<String, T> made = new ConcurrentHashMap<>();

  private LogTopics(TopicSettings settings, TopicChoice choice, Function<String, T> each) {
    this.settings = settings;
    this.choice = choice;
    this.each = each;
  }

  /// Returns the topics of a description; null if it is of one topic.
  ///
  /// @param each describes one of them by its name
  public static <T> @Nullable LogTopics<T> of(TopicSettings settings, Function<String, T> each) {
    TopicChoice choice = settings.choice();
    return choice == null ? null : new LogTopics<>(settings, choice, each);
  }

  /// Returns which topics they are.
  public TopicChoice choice() {
    return choice;
  }

  /// Returns what the application says of each of them.
  public TopicSettings settings() {
    return settings;
  }

  /// Returns one of them; the same object at each call.
  ///
  /// @throws IllegalArgumentException if it is none of them
  public T topic(String name) {
    if (!choice.has(name)) {
      throw new IllegalArgumentException(
          "Topic '%s' is none of '%s'.".formatted(name, choice.text()));
    }
    return made.computeIfAbsent(name, each);
  }
}
