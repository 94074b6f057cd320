package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What becomes of values if a program goes back to the schema that it had, after others were
/// written under another schema. It is found from the two texts of [Serde#schema] alone.
///
/// Components that were renamed or widened are no obstacle: as long as a program may go back, they
/// are written as they were.
///
/// @param obstacles why the program that goes back cannot read all values
/// @param losses what it does not find in values that were written meanwhile, or does not keep of
///   them
/// @param unknown what only a serde from elsewhere could say
public record SchemaChange(List<String> obstacles, List<String> losses, List<String> unknown) {
  public SchemaChange {
    obstacles = List.copyOf(obstacles);
    losses = List.copyOf(losses);
    unknown = List.copyOf(unknown);
  }

  /// Compares two schemas.
  ///
  /// @param before the schema to which the program goes back
  /// @param after the schema under which values were written meanwhile
  public static SchemaChange between(String before, String after) {
    if (before.equals(after)) {
      return new SchemaChange(List.of(), List.of(), List.of());
    }
    Comparison comparison;
    try {
      comparison = new Comparison(SchemaParser.parse(before), SchemaParser.parse(after));
    } catch (SerdeException _) {
      return new SchemaChange(
          List.of(), List.of(), List.of("whether " + before + " reads " + after));
    }
    comparison.compare("a value", comparison.before.root(), comparison.after.root());
    return new SchemaChange(comparison.obstacles, comparison.losses, comparison.unknown);
  }

  private static final class Comparison {
    private final Schema before;
    private final Schema after;
    private final List<String> obstacles = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private final Set<List<String>> compared = new HashSet<>();

    Comparison(Schema before, Schema after) {
      this.before = before;
      this.after = after;
    }

    private void compare(String place, Schema.Type was, Schema.Type is) {
      if (was instanceof Schema.Structure(var old) && is instanceof Schema.Structure(var now)) {
        compareStructures(old, now);
      } else if (was instanceof Schema.Choice old && is instanceof Schema.Choice now) {
        compareChoices(place, old, now);
      } else if (was instanceof Schema.Constants old && is instanceof Schema.Constants now) {
        compareConstants(place, old, now);
      } else if (was instanceof Schema.Container old
          && is instanceof Schema.Container now
          && old.parts().size() == now.parts().size()) {
        for (int i = 0; i < old.parts().size(); i++) {
          compare("a part of " + place, old.parts().get(i), now.parts().get(i));
        }
      } else if (!was.equals(is) && !isWidened(was, is)) {
        // Nothing else evolves but by what a serde from elsewhere says.
        unknown.add("whether the old program reads " + place + " as it is written now");
      }
    }

    private static boolean isWidened(Schema.Type was, Schema.Type is) {
      return was instanceof Schema.Plain(var old)
          && is instanceof Schema.Plain(var now)
          && Widening.of(old, now) != null;
    }

    private void compareStructures(String was, String is) {
      if (!compared.add(List.of(was, is))) {
        return;
      }
      Map<String, Schema.Type> past = before.structures().getOrDefault(was, Map.of());
      Map<String, Schema.Type> present = after.structures().getOrDefault(is, Map.of());
      Set<String> kept = new HashSet<>();
      present.forEach((names, type) -> {
        List<String> all = List.of(names.split("="));
        past.forEach((oldNames, oldType) -> {
          if (List.of(oldNames.split("=")).stream().anyMatch(all::contains)) {
            kept.add(oldNames);
            kept.add(names);
            compare("component %s of %s".formatted(all.getFirst(), is), oldType, type);
          }
        });
        if (!kept.contains(names)) {
          losses.add("the component %s of %s".formatted(all.getFirst(), is));
        }
      });
      past.keySet().stream()
          .filter(names -> !kept.contains(names))
          .forEach(names ->
              losses.add("the component %s of new %s".formatted(names.split("=")[0], was)));
    }

    private void compareChoices(String place, Schema.Choice was, Schema.Choice is) {
      for (Schema.Structure option : is.options()) {
        was.options().stream()
            .filter(each -> each.simpleName().equals(option.simpleName()))
            .findFirst()
            .ifPresentOrElse(
                same -> compareStructures(same.name(), option.name()),
                () ->
                    obstacles.add(
                        "%s may be a %s, which the old program does not have"
                            .formatted(place, option.simpleName())));
      }
    }

    private void compareConstants(String place, Schema.Constants was, Schema.Constants is) {
      for (String name : is.names()) {
        if (!was.names().contains(name)) {
          obstacles.add(
              "%s may be the constant %s, which the old program does not have"
                  .formatted(place, name));
        }
      }
    }
  }
}
