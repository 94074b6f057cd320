package dev.millrace.config;

/// Which part of the job this process runs.
///
/// @param container this one, from 0
/// @param containers how many there are; the same in every process
/// @param workers threads of a container; the same in every process
/// @param takeOver whether to take the container from a process that runs it
/// @param exchanges how records get from one task to another
public record PlacementConfig(
    int container, int containers, int workers, boolean takeOver, Exchanges exchanges) {

  public enum Exchanges {
    /// By topics; each worker commits for itself.
    TOPICS,
    /// Through the memory of the one container there is; all workers commit together.
    DIRECT
  }

  /// With exchanges by topics.
  public PlacementConfig(int container, int containers, int workers, boolean takeOver) {
    this(container, containers, workers, takeOver, Exchanges.TOPICS);
  }

  public static PlacementConfig defaults() {
    return new PlacementConfig(0, 1, 2, false);
  }

  public PlacementConfig withExchanges(Exchanges newExchanges) {
    return new PlacementConfig(container, containers, workers, takeOver, newExchanges);
  }
}
