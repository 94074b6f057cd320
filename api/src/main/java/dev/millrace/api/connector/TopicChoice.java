package dev.millrace.api.connector;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which topics are meant where there are several.
///
/// @param text what they are called together, in messages
/// @param names of all of them in order; empty if a pattern says which
/// @param pattern that the names of all of them match, as a whole; null if they are named
public record TopicChoice(String text, List<String> names, @Nullable Pattern pattern) {

  /// Returns topics by their names.
  ///
  /// @throws IllegalArgumentException if no topic is given, or one is given twice
  public static TopicChoice of(Collection<String> names) {
    List<String> ordered = List.copyOf(new TreeSet<>(names));
    if (ordered.isEmpty() || ordered.size() < names.size()) {
      throw new IllegalArgumentException(
          "Several topics are given by one or more names, each of another topic; found "
              + names
              + ".");
    }
    return new TopicChoice(String.join(", ", ordered), ordered, null);
  }

  /// Returns all topics whose whole names match.
  public static TopicChoice of(Pattern pattern) {
    return new TopicChoice(pattern.pattern(), List.of(), pattern);
  }

  /// Returns all topics whose names begin with a prefix.
  ///
  /// @throws IllegalArgumentException if the prefix is empty
  public static TopicChoice under(String prefix) {
    if (prefix.isEmpty()) {
      throw new IllegalArgumentException(
          "The prefix of several topics is what their names begin with; found nothing.");
    }
    return new TopicChoice(prefix + "*", List.of(), Pattern.compile(Pattern.quote(prefix) + ".*"));
  }

  /// Returns whether a topic of that name is one of them.
  public boolean has(String topic) {
    return pattern == null ? names.contains(topic) : pattern.matcher(topic).matches();
  }
}
