package dev.millrace.internal.cluster.decide;

import dev.millrace.api.serde.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The right of one member to decide, and that it lives: the last record of each decision, and of
/// each beat between decisions.
///
/// @param number rises with each leader; 0 if there was none
/// @param version of the last decision; it rises with each, also from one term to the next
/// @param beat rises with each record of a term
/// @param leader the home of the member that decides
/// @param life which process of that home it is
/// @param resigned whether it has given up the right
/// @param completed whether all input of all bundles has ended, and everything is committed
/// @param kind of the bundles that are placed
public record Term(
    long number,
    long version,
    long beat,
    String leader,
    long life,
    boolean resigned,
    boolean completed,
    String kind) {
  /// Before the first term.
  public static final Term NONE = new Term(0, 0, 0, "", 0, true, false, "");

  /// The bits of a version that number the decisions of a term.
  public static final int NUMBERED = 32;

  /// Returns what a record of the topic says; null if it is no term, or none that this version
  /// reads.
  public static @Nullable Term read(byte @Nullable [] key, byte @Nullable [] value) {
    if (value == null || !Arrays.equals(key, Bytes.ofUtf8(Codec.TERM).toByteArray())) {
      return null;
    }
    Bytes bytes = Bytes.of(value);
    return Codec.isKnown(bytes) ? Codec.term(bytes) : null;
  }

  /// Returns the version of the next decision in a term.
  static long nextVersion(long term, long version) {
    return Math.max(version, term << NUMBERED) + 1;
  }

  /// Returns whether another one differs by beats alone.
  boolean saysTheSame(Term other) {
    return equals(
        new Term(
            other.number,
            other.version,
            beat,
            other.leader,
            other.life,
            other.resigned,
            other.completed,
            other.kind));
  }

  Term next(long newVersion) {
    return new Term(number, newVersion, beat + 1, leader, life, false, completed, kind);
  }

  Term withResigned() {
    return new Term(number, version, beat + 1, leader, life, true, completed, kind);
  }

  Term withCompleted() {
    return new Term(number, version, beat + 1, leader, life, resigned, true, kind);
  }

  Term withKind(String newKind) {
    return new Term(number, version, beat, leader, life, resigned, completed, newKind);
  }
}
