package dev.millrace.internal.engine.plan;

import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.topology.Renames;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Says whether a plan can read what another one wrote, and under which names.
public interface Formats {
  /// Nothing can be read that was written in another way.
  Formats NONE =
      new Formats() {
        @Override
        public Optional<String> obstacle(Part part, String writtenSchema) {
          return Optional.of("its format differs");
        }

        @Override
        public boolean writesAs(Part part, String olderSchema) {
          return false;
        }

        @Override
        public Renames renames() {
          return Renames.NONE;
        }
      };

  /// Returns why the values of a part cannot be read; empty if they can.
  ///
  /// @param part a store or an exchange
  /// @param writtenSchema of the serde that wrote them
  Optional<String> obstacle(Part part, String writtenSchema);

  /// Returns whether the values of a part can be written as a program reads them whose serde has an
  /// older schema.
  ///
  /// @param part a store or an exchange
  boolean writesAs(Part part, String olderSchema);

  /// Returns what earlier plans called otherwise.
  Renames renames();

  /// Returns the formats of a plan that was recorded after another one, so that it can read what
  /// that one wrote.
  static Formats recorded(PlanDescription before, PlanDescription now) {
    return new Formats() {
      @Override
      public Optional<String> obstacle(Part part, String writtenSchema) {
        return Optional.empty();
      }

      @Override
      public boolean writesAs(Part part, String olderSchema) {
        return true;
      }

      @Override
      public Renames renames() {
        return before.renamesTo(now);
      }
    };
  }

  /// Returns the formats of a plan.
  static Formats of(Plan plan) {
    return new Formats() {
      @Override
      public Optional<String> obstacle(Part part, String writtenSchema) {
        Serde<?> serde = valuesOf(plan, part);
        return serde == null
            ? Optional.of("its format differs")
            : Serdes.obstacle(serde, writtenSchema);
      }

      @Override
      public boolean writesAs(Part part, String olderSchema) {
        Serde<?> serde = valuesOf(plan, part);
        return serde != null && serde.writingAs(olderSchema).isPresent();
      }

      @Override
      public Renames renames() {
        return plan.renames();
      }
    };
  }

  private static @Nullable Serde<?> valuesOf(Plan plan, Part part) {
    return switch (part.kind()) {
      case STORE ->
          plan.stores()
              .filter(store ->
                  Integer.toString(store.number()).equals(part.value(PlanDescription.NUMBER)))
              .map(store -> store.spec().valueSerde())
              .findFirst()
              .orElse(null);
      case EXCHANGE ->
          plan.exchanges().stream()
              .filter(exchange -> exchange.node().name().equals(part.name()))
              .map(exchange -> exchange.node().valueSerde())
              .findFirst()
              .orElse(null);
      case APPLICATION, STAGE, INPUT, OPERATOR -> null;
    };
  }
}
