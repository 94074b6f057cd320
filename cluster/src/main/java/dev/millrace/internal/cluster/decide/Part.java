package dev.millrace.internal.cluster.decide;

/// A bundle that is split off from another one, or was.
///
/// @param parent the number of the bundle that it is split off from
/// @param ready whether the parent's owner is to do so: who owns the new bundle has what it needs
public record Part(int parent, boolean ready) {
  /// The level of formats from which on members know of such bundles. Who does not would process
  /// what is not a bundle's any more.
  public static final int FORMAT = 2;
}
