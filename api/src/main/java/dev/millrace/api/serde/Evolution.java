package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Whether what was written under one schema can be read under another, and if not, why.
///
/// Components may be added, removed, moved, [renamed][Was] and [widened][Widening]; otherwise those
/// on both sides must have the same type. Constants of an enum and records of a sealed interface
/// may be added and moved, but not removed. Names of records play no part, except those of a sealed
/// interface.
final class Evolution {
  private final Schema reader;
  private final Schema written;
  private final List<String> reasons = new ArrayList<>();
  private final Set<List<String>> compared = new HashSet<>();

  private Evolution(Schema reader, Schema written) {
    this.reader = reader;
    this.written = written;
  }

  /// The first reason found, empty if everything can be read.
  static Optional<String> obstacle(Schema reader, String writtenText) {
    Schema written;
    try {
      written = SchemaParser.parse(writtenText);
    } catch (SerdeException e) {
      return Optional.of("the written schema cannot be understood: " + e.getMessage());
    }
    Evolution evolution = new Evolution(reader, written);
    evolution.compare("the value", reader.root(), written.root());
    return evolution.reasons.stream().findFirst();
  }

  private void compare(String place, Schema.Type mine, Schema.Type theirs) {
    switch (mine) {
      case Schema.Structure structure when theirs instanceof Schema.Structure other ->
          compareStructures(structure.name(), other.name());
      case Schema.Choice choice when theirs instanceof Schema.Choice other ->
          compareChoices(place, choice, other);
      case Schema.Constants constants
          when theirs instanceof Schema.Constants other
              && constants.ordinals() == other.ordinals() ->
          compareConstants(place, constants, other);
      case Schema.Container container
          when theirs instanceof Schema.Container other
              && container.name().equals(other.name())
              && container.parts().size() == other.parts().size() -> {
        for (int i = 0; i < container.parts().size(); i++) {
          compare(
              "a part of " + place + " (" + container.name() + ")",
              container.parts().get(i),
              other.parts().get(i));
        }
      }
      case Schema.Foreign(String text, Serde<?> serde)
          when theirs instanceof Schema.Foreign other -> {
        boolean readable = serde == null ? text.equals(other.text()) : serde.canRead(other.text());
        if (!readable) {
          reasons.add(place + " was written as " + other.text() + " and is read as " + text);
        }
      }
      default -> {
        if (!mine.equals(theirs)) {
          reasons.add(place + " was written as " + kind(theirs) + " and is read as " + kind(mine));
        }
      }
    }
  }

  private void compareStructures(String mine, String theirs) {
    if (!compared.add(List.of(mine, theirs))) {
      return;
    }
    List<Component> present = components(reader, mine);
    List<Component> past = components(written, theirs);
    for (Component component : present) {
      List<Component> before =
          past.stream().filter(each -> component.names.contains(each.name())).toList();
      if (before.size() > 1) {
        reasons.add(
            "%s and %s of %s were two components, and one is to take the place of both"
                .formatted(before.get(0).name(), before.get(1).name(), mine));
      } else if (before.isEmpty()) {
        refuseSameNumber(mine, component.name(), past);
      } else {
        compareComponents(mine, component, before.getFirst());
      }
    }
  }

  /// @param names the one that it has, then those that it had
  private record Component(List<String> names, Schema.Type type) {
    String name() {
      return names.getFirst();
    }
  }

  private static List<Component> components(Schema schema, String structure) {
    List<Component> components = new ArrayList<>();
    schema
        .structures()
        .getOrDefault(structure, Map.of())
        .forEach((names, type) -> components.add(new Component(List.of(names.split("=")), type)));
    return components;
  }

  private void compareComponents(String structure, Component mine, Component theirs) {
    for (String name : theirs.names) {
      if (!mine.names.contains(name)) {
        reasons.add(
            "component %s of %s was called %s before, and values of that time may still be there: keep @Was(\"%s\")"
                .formatted(mine.name(), structure, name, name));
      }
    }
    if (!isWider(mine.type, theirs.type)) {
      compare("component " + mine.name() + " of " + structure, mine.type, theirs.type);
    }
  }

  private static boolean isWider(Schema.Type mine, Schema.Type theirs) {
    return mine instanceof Schema.Plain(var read)
        && theirs instanceof Schema.Plain(var wrote)
        && Widening.of(wrote, read) != null;
  }

  private void refuseSameNumber(String structure, String added, List<Component> past) {
    int number = Names.number(added, Names.COMPONENT_BITS);
    for (Component each : past) {
      if (each.names.stream()
          .anyMatch(name -> Names.number(name, Names.COMPONENT_BITS) == number)) {
        reasons.add(
            ("the new component %s of %s gets the number in the bytes that %s had;"
                    + " give it another name")
                .formatted(added, structure, each.name()));
      }
    }
  }

  private void compareChoices(String place, Schema.Choice mine, Schema.Choice theirs) {
    for (Schema.Structure option : theirs.options()) {
      Optional<Schema.Structure> same =
          mine.options().stream()
              .filter(candidate -> candidate.simpleName().equals(option.simpleName()))
              .findFirst();
      if (same.isPresent()) {
        compareStructures(same.get().name(), option.name());
      } else {
        reasons.add(place + " may have been written as a " + option.name() + ", which is gone");
      }
    }
  }

  private void compareConstants(String place, Schema.Constants mine, Schema.Constants theirs) {
    if (mine.ordinals()) {
      int size = theirs.names().size();
      if (size > mine.names().size() || !mine.names().subList(0, size).equals(theirs.names())) {
        reasons.add(
            ("%s was written as the position of a constant in %s, and is read as one in %s;"
                    + " constants can be added at the end only")
                .formatted(place, theirs.names(), mine.names()));
      }
    } else {
      for (String name : theirs.names()) {
        if (!mine.names().contains(name)) {
          reasons.add(place + " may have been written as the constant " + name + ", which is gone");
        }
      }
    }
  }

  private static String kind(Schema.Type type) {
    return switch (type) {
      case Schema.Plain plain -> plain.name();
      case Schema.Constants constants -> constants.ordinals() ? "ordinal of an enum" : "enum";
      case Schema.Container container -> container.name();
      case Schema.Structure structure -> "record " + structure.name();
      case Schema.Choice _ -> "sealed interface";
      case Schema.Foreign foreign -> foreign.text();
    };
  }
}
