package dev.millrace.engine.loop;

/// What a person can do where a job cannot go on from what it has: with the commands that do it.
final class WaysOut {
  private WaysOut() {}

  /// The application begins as if it had never run: what it keeps and how far it has read is gone,
  /// what it has read and written stays.
  static String beginAnew(String application) {
    return "To begin anew, without what it keeps and how far it has read: millrace app delete %s --yes (with --bootstrap and --state, on each host that has state), then start it; its sources, or --start, say from where."
        .formatted(application);
  }

  /// Only what is on this host is dropped; it is restored from the changelog.
  static String dropLocalState(String application) {
    return "to go on from what the changelog has, remove the local state of each host: rm -r %s in state.directory."
        .formatted(application);
  }
}
