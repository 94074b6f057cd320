package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.live.Report;
import java.util.List;

/// Does what is decided about the bundles of one member: the engine, or a model of it.
///
/// All calls come from the thread that steps the [Member], begin something, and return at once;
/// [#reports] says how far it is. What is decided may be late or wrong: that nobody else writes for
/// a bundle is made sure of by whoever implements this, before it processes the first record.
public interface Hands {

  /// Takes a bundle, as its owner under a version. If it is owned under an earlier version, or
  /// being given up, it is owned under this one from then on. Called once for each version.
  ///
  /// @param force whether the owner before has not let go of it, and has to be barred. A former
  ///   process of this home may always have to be
  void take(int bundle, long version, boolean force);

  /// Lets go of a bundle: its last transaction is committed, and it is processed no more. Its state
  /// is kept up to date if possible, as if it was followed, until something else is called.
  void give(int bundle);

  /// Follows the state of a bundle, so that it can be taken quickly.
  void follow(int bundle);

  /// Takes in that there is a bundle that is split off from another one, or will be. Called before
  /// anything else is about that bundle, and perhaps often.
  void knows(int part, int parent);

  /// Returns why a bundle cannot be split, in words for people; empty if it can.
  String whyNotSplit(int bundle);

  /// Makes room for the state of one more bundle, which is split off from another one. May wait for
  /// the log. Called by who decides.
  ///
  /// @param least the lowest number that it may have
  /// @return its number
  /// @throws dev.millrace.spi.LogException if the log cannot be reached
  int addBundle(int least);

  /// Splits a bundle that this member owns in two, unless that was done: the other one exists from
  /// then on. Called again until that is known.
  void split(int bundle, int part);

  /// Ends to follow a bundle. What is on disk may stay.
  void forget(int bundle);

  /// Returns how far each bundle is, in the order of their numbers, also those that only have state
  /// on disk. Never [Report.State#RELEASED].
  List<Report> reports();
}
