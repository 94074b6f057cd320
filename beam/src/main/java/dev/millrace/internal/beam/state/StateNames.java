package dev.millrace.internal.beam.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.runners.core.StateTag;
import org.jspecify.annotations.Nullable;

/// The names of states, each with what kind of name it is. They are asked for with each access, and
/// are put together once.
final class StateNames {
  private static final int MOST = 256;

  /// By what a state is called: those of users, and those of runners, may be called the same.
  private final Map<String, Name> known = new HashMap<>();

  private final Kind kind = new Kind();

  private record Name(char kind, String name) {}

  /// Takes the first character of what a name consists of.
  private static final class Kind implements Appendable {
    private char first;
    private boolean isEmpty;

    char of(StateTag<?> tag) {
      isEmpty = true;
      appendTo(tag, this);
      return first;
    }

    @Override
    public Appendable append(@Nullable CharSequence text) {
      String all = String.valueOf(text);
      return all.isEmpty() ? this : append(all.charAt(0));
    }

    @Override
    public Appendable append(@Nullable CharSequence text, int start, int end) {
      return append(String.valueOf(text).substring(start, end));
    }

    @Override
    public Appendable append(char one) {
      if (isEmpty) {
        first = one;
        isEmpty = false;
      }
      return this;
    }
  }

  /// Returns the name of a state.
  String of(StateTag<?> tag) {
    char of = kind.of(tag);
    Name name = known.get(tag.getId());
    if (name != null && name.kind == of) {
      return name.name;
    }
    if (known.size() == MOST) {
      known.clear();
    }
    StringBuilder made = new StringBuilder();
    appendTo(tag, made);
    known.put(tag.getId(), new Name(of, made.toString()));
    return made.toString();
  }

  private static void appendTo(StateTag<?> tag, Appendable to) {
    try {
      tag.appendTo(to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
