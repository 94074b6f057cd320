package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the text of a [Schema], which may come from a store of long ago: what is not understood is
/// said, with its place.
final class SchemaParser {
  private static final String DELIMITERS = "{}()<>|,:\"";

  private final String text;
  private final Map<String, Map<String, Schema.Type>> structures = new LinkedHashMap<>();
  private int position;
  private int depth;

  private SchemaParser(String text) {
    this.text = text;
  }

  /// @throws SerdeException if the text is none of a schema
  static Schema parse(String text) {
    SchemaParser parser = new SchemaParser(text);
    Schema.Type root = parser.type();
    if (parser.position < text.length()) {
      throw parser.unexpected("the end");
    }
    return new Schema(root, parser.structures);
  }

  private Schema.Type type() {
    if (++depth > BytesWriter.MAX_DEPTH) {
      throw unexpected("an end of nesting");
    }
    Schema.Type type = namedType(name());
    depth--;
    return type;
  }

  private Schema.Type namedType(String name) {
    if (name.startsWith("@")) {
      return new Schema.Structure(name.substring(1));
    }
    if (accept('{')) {
      return structure(name);
    }
    if (accept('<')) {
      return new Schema.Container(name, parts());
    }
    if (accept('"')) {
      expectName(name, "other");
      return new Schema.Foreign(quoted(), null);
    }
    if (accept('(')) {
      return switch (name) {
        case "enum" -> new Schema.Constants(false, constants());
        case "ordinal" -> new Schema.Constants(true, constants());
        case "sealed" -> new Schema.Choice(options());
        default -> throw unexpected("enum, ordinal or sealed before this place");
      };
    }
    return new Schema.Plain(name);
  }

  private Schema.Structure structure(String name) {
    Map<String, Schema.Type> components = new LinkedHashMap<>();
    if (structures.put(name, components) != null) {
      throw unexpected("another name than " + name + " before this place");
    }
    if (!accept('}')) {
      do {
        String component = name();
        expect(':');
        components.put(component, type());
      } while (accept(','));
      expect('}');
    }
    return new Schema.Structure(name);
  }

  private List<Schema.Type> parts() {
    List<Schema.Type> parts = new ArrayList<>();
    do {
      parts.add(type());
    } while (accept(','));
    expect('>');
    return parts;
  }

  private List<String> constants() {
    List<String> names = new ArrayList<>();
    if (!accept(')')) {
      do {
        names.add(name());
      } while (accept(','));
      expect(')');
    }
    return names;
  }

  private List<Schema.Structure> options() {
    List<Schema.Structure> options = new ArrayList<>();
    do {
      if (!(type() instanceof Schema.Structure structure)) {
        throw unexpected("a record before this place");
      }
      options.add(structure);
    } while (accept('|'));
    expect(')');
    return options;
  }

  private String quoted() {
    StringBuilder content = new StringBuilder();
    while (!accept('"')) {
      accept('\\');
      if (position == text.length()) {
        throw unexpected("a closing quote");
      }
      content.append(text.charAt(position++));
    }
    return content.toString();
  }

  private String name() {
    int start = position;
    while (position < text.length() && DELIMITERS.indexOf(text.charAt(position)) < 0) {
      position++;
    }
    if (position == start) {
      throw unexpected("a name");
    }
    return text.substring(start, position);
  }

  private void expectName(String found, String expected) {
    if (!found.equals(expected)) {
      throw unexpected(expected + " before this place");
    }
  }

  private boolean accept(char c) {
    if (position < text.length() && text.charAt(position) == c) {
      position++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw unexpected("'" + c + "'");
    }
  }

  private SerdeException unexpected(String expected) {
    return new SerdeException(
        "no text of a schema: expected " + expected + " at character " + position);
  }
}
