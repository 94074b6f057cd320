package dev.millrace.internal.cluster.view;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/// Writes JSON of maps, lists, texts, numbers and truth values, indented by two spaces.
public final class JsonText {
  private static final int LOWEST = 0x20;

  private final StringBuilder text = new StringBuilder();

  private JsonText() {}

  /// Returns an object as JSON.
  ///
  /// @param object by the names of its fields, in their order
  /// @throws IllegalArgumentException if there is a value that has no form in JSON
  public static String of(Map<String, ?> object) {
    JsonText json = new JsonText();
    json.object(object, 0);
    return json.text.toString();
  }

  private void value(Object value, int depth) {
    switch (value) {
      case String string -> string(string);
      case Map<?, ?> object -> object(object, depth);
      case Collection<?> list -> list(list, depth);
      case Boolean truth -> text.append(truth);
      case Integer number -> text.append(number);
      case Long number -> text.append(number);
      default -> throw new IllegalArgumentException("JSON of a " + value.getClass().getName());
    }
  }

  private void object(Map<?, ?> object, int depth) {
    text.append('{');
    Iterator<? extends Map.Entry<?, ?>> fields = object.entrySet().iterator();
    while (fields.hasNext()) {
      Map.Entry<?, ?> field = fields.next();
      line(depth + 1);
      string(String.valueOf(field.getKey()));
      text.append(" : ");
      value(field.getValue(), depth + 1);
      text.append(fields.hasNext() ? "," : "");
    }
    end(object.isEmpty(), '}', depth);
  }

  private void list(Collection<?> list, int depth) {
    text.append('[');
    Iterator<?> values = list.iterator();
    while (values.hasNext()) {
      line(depth + 1);
      value(values.next(), depth + 1);
      text.append(values.hasNext() ? "," : "");
    }
    end(list.isEmpty(), ']', depth);
  }

  private void end(boolean empty, char bracket, int depth) {
    if (!empty) {
      line(depth);
    }
    text.append(bracket);
  }

  private void line(int depth) {
    text.append('\n').repeat("  ", depth);
  }

  private void string(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < LOWEST || Character.isSurrogate(c)) {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
