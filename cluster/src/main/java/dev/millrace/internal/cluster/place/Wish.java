package dev.millrace.internal.cluster.place;

/// Where a bundle is wanted, because somebody has asked for it.
///
/// It stays there while that member lives. The load is evened out as if the bundle were still where
/// it came from, so that nothing else moves because of it.
///
/// @param home of the member that is to own it; empty if nobody has asked for anything
/// @param from who owned it when that was asked for
public record Wish(String home, String from) {
  /// That nobody has asked for anything.
  public static final Wish NONE = new Wish("", "");
}
