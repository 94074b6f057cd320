package dev.millrace.internal.cluster.decide;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What is decided about bundles that are split. Immutable.
///
/// @param parts the bundles that are split off from others, by their numbers
/// @param refused why bundles are not split that somebody wants to be, by their numbers
/// @param granted the bundles that somebody wanted to be split and that are, by `parts`
public record SplitDecision(
    SortedMap<Integer, Part> parts,
    SortedMap<Integer, String> refused,
    SortedSet<Integer> granted) {

  public SplitDecision {
    parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    granted = Collections.unmodifiableSortedSet(new TreeSet<>(granted));
  }

  /// Returns whether there is nothing to be told.
  public boolean isEmpty() {
    return parts.isEmpty() && refused.isEmpty() && granted.isEmpty();
  }
}
