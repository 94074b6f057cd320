package dev.millrace.testkit.disk;

/// The machines of one simulated run. Used by one thread.
public interface Hosts extends AutoCloseable {
  /// So few that runs are merged all the time.
  int MOST_RUNS = 4;

  /// A machine that has no state yet.
  ///
  /// @param name unlike that of any other
  /// @param seed of what it loses and how
  Host host(String name, long seed);

  /// Removes all of them; no process may run any more.
  @Override
  void close();

  /// Machines in memory, on whose disks the state is made of sorted runs, of few at a time.
  static Hosts models() {
    return new Hosts() {
      @Override
      public Host host(String name, long seed) {
        return new ModelHost(new ModelFiles(seed), MOST_RUNS);
      }

      @Override
      public void close() {}
    };
  }
}
