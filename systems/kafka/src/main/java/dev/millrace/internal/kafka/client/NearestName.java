package dev.millrace.internal.kafka.client;

import java.util.Collection;
import java.util.Optional;

/// Finds what somebody may have meant.
public final class NearestName {
  private NearestName() {}

  /// Returns the known name with the fewest letters inserted, left out, changed or swapped with
  /// their neighbour; none if more than a third of the letters differ. Among equals the first one.
  public static Optional<String> of(String name, Collection<String> known) {
    String nearest = null;
    int least = name.length() / 3 + 1;
    for (String candidate : known) {
      int distance = distance(name, candidate);
      if (distance < least) {
        least = distance;
        nearest = candidate;
      }
    }
    return Optional.ofNullable(nearest);
  }

  static int distance(String one, String other) {
    int[][] rows = new int[one.length() + 1][other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      rows[0][j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      rows[i][0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int changed = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        int least = Math.min(rows[i - 1][j], rows[i][j - 1]) + 1;
        least = Math.min(least, rows[i - 1][j - 1] + changed);
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          least = Math.min(least, rows[i - 2][j - 2] + 1);
        }
        rows[i][j] = least;
      }
    }
    return rows[one.length()][other.length()];
  }
}
