package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What is lost if a program goes back to the schema that it had, after others were written under
/// another schema: what it does not find in values that were written meanwhile, and what it does
/// not keep of them. It is found from the two texts of [Serde#schema] alone.
///
/// Components that were renamed or widened, new constants and new records of a sealed interface
/// lose nothing: as long as a program may go back, values are [written as it reads
/// them][Serde#writingAs].
final class SchemaChange {
  private SchemaChange() {}

  /// Returns what is lost, as noun phrases; nothing for schemas of serdes from elsewhere.
  ///
  /// @param before the schema to which the program goes back
  /// @param after the schema under which values were written meanwhile
  static List<String> losses(String before, String after) {
    if (before.equals(after)) {
      return List.of();
    }
    Comparison comparison;
    try {
      comparison = new Comparison(SchemaParser.parse(before), SchemaParser.parse(after));
    } catch (SerdeException _) {
      return List.of();
    }
    comparison.compare(comparison.before.root(), comparison.after.root());
    return List.copyOf(comparison.losses);
  }

  private static final class Comparison {
    private final Schema before;
    private final Schema after;
    private final List<String> losses = new ArrayList<>();
    private final Set<List<String>> compared = new HashSet<>();

    Comparison(Schema before, Schema after) {
      this.before = before;
      this.after = after;
    }

    private void compare(Schema.Type was, Schema.Type is) {
      if (was instanceof Schema.Structure(var old) && is instanceof Schema.Structure(var now)) {
        compareStructures(old, now);
      } else if (was instanceof Schema.Choice old && is instanceof Schema.Choice now) {
        compareChoices(old, now);
      } else if (was instanceof Schema.Container old
          && is instanceof Schema.Container now
          && old.parts().size() == now.parts().size()) {
        for (int i = 0; i < old.parts().size(); i++) {
          compare(old.parts().get(i), now.parts().get(i));
        }
      }
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
            compare(oldType, type);
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

    private void compareChoices(Schema.Choice was, Schema.Choice is) {
      for (Schema.Structure option : is.options()) {
        was.options().stream()
            .filter(each -> each.simpleName().equals(option.simpleName()))
            .findFirst()
            .ifPresent(same -> compareStructures(same.name(), option.name()));
      }
    }
  }
}
