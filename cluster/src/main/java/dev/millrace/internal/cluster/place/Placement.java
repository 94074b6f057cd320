package dev.millrace.internal.cluster.place;

import java.util.Collections;
import java.util.SortedMap;

/// What the [Placer] wants.
///
/// @param seats by the number of the bundle; not modified after construction
/// @param unbalanced whether the load is uneven and a move would make it more even
public record Placement(SortedMap<Integer, Seat> seats, boolean unbalanced) {
  public Placement {
    seats = Collections.unmodifiableSortedMap(seats);
  }
}
