package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The shape of what a serde writes, and its text: `Trend{tag:string,count:long}`.
///
/// A record is described where it first occurs and called `@Name` after that, so recursive types
/// have a text. Of two classes with the same simple name the second is called `Name#2`.
///
/// @param structures the components of each record by its name, in their order
record Schema(Type root, Map<String, Map<String, Type>> structures) {

  sealed interface Type {}

  /// A type without parts; a primitive or, with a question mark, its box, and so on.
  record Plain(String name) implements Type {}

  /// An enum.
  ///
  /// @param ordinals whether the position is written and not the name
  record Constants(boolean ordinals, List<String> names) implements Type {}

  /// A list, set, map or optional.
  record Container(String name, List<Type> parts) implements Type {}

  /// A record, by its name in [Schema#structures].
  record Structure(String name) implements Type {
    /// The name of the class alone, which is in the bytes if the record is one of a sealed
    /// interface.
    String simpleName() {
      int suffix = name.indexOf('#');
      return suffix < 0 ? name : name.substring(0, suffix);
    }
  }

  /// A sealed interface.
  record Choice(List<Structure> options) implements Type {}

  /// What a serde from elsewhere writes.
  ///
  /// @param serde null if this was read from a text
  record Foreign(String text, @Nullable Serde<?> serde) implements Type {}

  static Schema of(Codec<?> codec) {
    Builder builder = new Builder();
    return new Schema(codec.schema(builder), builder.structures);
  }

  /// Collects the records of a schema while codecs describe themselves.
  static final class Builder {
    private final IdentityHashMap<Object, Structure> known = new IdentityHashMap<>();
    private final Map<String, Integer> names = new HashMap<>();
    final Map<String, Map<String, Type>> structures = new LinkedHashMap<>();

    /// @param codec what is described; the same one is described once
    Structure structure(Object codec, String simpleName, Components components) {
      Structure structure = known.get(codec);
      if (structure == null) {
        int number = names.getOrDefault(simpleName, 0) + 1;
        names.put(simpleName, number);
        structure = new Structure(number == 1 ? simpleName : simpleName + "#" + number);
        known.put(codec, structure);
        Map<String, Type> types = new LinkedHashMap<>();
        structures.put(structure.name, types);
        components.describe(types);
      }
      return structure;
    }
  }

  /// Describes the components of a record.
  @FunctionalInterface
  interface Components {
    void describe(Map<String, Type> types);
  }

  /// The text, from which [SchemaParser] makes an equal schema.
  String text() {
    return new Printer().text(root);
  }

  private final class Printer {
    private final List<String> described = new ArrayList<>();

    String text(Type type) {
      return switch (type) {
        case Plain plain -> plain.name;
        case Constants constants ->
            (constants.ordinals ? "ordinal(" : "enum(") + String.join(",", constants.names) + ")";
        case Container container ->
            container.name
                + container.parts.stream()
                    .map(this::text)
                    .collect(Collectors.joining(",", "<", ">"));
        case Structure structure -> structureText(structure.name);
        case Choice choice ->
            choice.options.stream()
                .map(this::text)
                .collect(Collectors.joining("|", "sealed(", ")"));
        case Foreign foreign ->
            "other\"" + foreign.text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
      };
    }

    private String structureText(String name) {
      if (described.contains(name)) {
        return "@" + name;
      }
      described.add(name);
      return structures.getOrDefault(name, Map.of()).entrySet().stream()
          .map(component -> component.getKey() + ":" + text(component.getValue()))
          .collect(Collectors.joining(",", name + "{", "}"));
    }
  }
}
