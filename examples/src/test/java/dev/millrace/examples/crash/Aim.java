package dev.millrace.examples.crash;

/// Where in its trace a process is to be killed: at the first line of a kind that has some commits
/// and some results before it. The thread that wrote the line goes on to where it would write its
/// next one, and waits there for the kill. So a kill that comes at any time behind the line hits
/// what the line begins.
///
/// @param line how it begins
/// @param commits how many were acknowledged
/// @param results how many were sent
record Aim(String line, int commits, int results) {
  static final Aim NOWHERE = new Aim("nowhere", 0, 0);

  private static final String SENT = "sent ";

  /// From what [#toString] says.
  static Aim of(String text) {
    String[] parts = text.split("\\|", 3);
    return new Aim(parts[2], Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }

  @Override
  public String toString() {
    return commits + "|" + results + "|" + line;
  }

  /// Looks at the lines of one trace in their order.
  final class Watch {
    private int commitsLeft = commits;
    private int resultsLeft = results;

    /// Whether the next line is aimed at.
    boolean isHitBy(String event) {
      if (event.startsWith(SENT)) {
        resultsLeft -= Integer.parseInt(event.substring(SENT.length()));
      } else if (event.equals("commit ended")) {
        commitsLeft--;
      }
      return commitsLeft <= 0 && resultsLeft <= 0 && event.startsWith(line);
    }
  }
}
