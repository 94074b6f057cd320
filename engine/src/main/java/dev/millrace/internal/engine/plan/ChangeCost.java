package dev.millrace.internal.engine.plan;

import java.util.List;
import java.util.OptionalLong;

/// What a change of a part of a plan costs.
///
/// @param hasState whether the part has stores
/// @param bytes of its state, about; empty if that is not known or it has none
/// @param written how many of them the change writes anew; empty if that is not known, or if the
///   change is refused
/// @param seconds how long that takes beside the work; empty if that is not known
public record ChangeCost(
    boolean hasState, OptionalLong bytes, OptionalLong written, OptionalLong seconds) {
  private static final OptionalLong NOTHING = OptionalLong.of(0);

  /// @param stores the numbers of those that the part has
  static ChangeCost of(PlanDiff.Effect effect, List<Integer> stores, StateSizes sizes) {
    if (stores.isEmpty()) {
      return new ChangeCost(false, OptionalLong.empty(), NOTHING, NOTHING);
    }
    OptionalLong bytes =
        switch (effect) {
          case ADDED -> NOTHING;
          case GROWS, PARKED, RESUMED, RENAMED, EVOLVES, MIGRATED, REINTERPRETED, REFUSED ->
              sizes.isKnown()
                  ? OptionalLong.of(stores.stream().mapToLong(sizes::of).sum())
                  : OptionalLong.empty();
        };
    OptionalLong written =
        switch (effect) {
          case GROWS, ADDED, PARKED, RESUMED, RENAMED, EVOLVES, REINTERPRETED -> NOTHING;
          case MIGRATED -> bytes;
          case REFUSED -> OptionalLong.empty();
        };
    return new ChangeCost(
        true,
        bytes,
        written,
        written.isPresent() ? sizes.seconds(written.getAsLong()) : OptionalLong.empty());
  }

  /// Returns what state costs that is the same in both plans.
  static ChangeCost kept(List<Integer> stores, StateSizes sizes) {
    return of(PlanDiff.Effect.GROWS, stores, sizes);
  }

  String bytesText() {
    if (!hasState) {
      return "-";
    }
    return bytes.isPresent() ? Rounded.bytes(bytes.getAsLong()) : "?";
  }

  String writtenText(PlanDiff.Effect effect) {
    if (!hasState || effect == PlanDiff.Effect.REFUSED) {
      return "-";
    }
    return written.isPresent() ? Rounded.bytes(written.getAsLong()) : "?";
  }
}
