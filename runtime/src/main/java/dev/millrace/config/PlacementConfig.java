package dev.millrace.config;

/// Which part of the job this process runs.
///
/// @param container this one, from 0
/// @param containers how many there are; the same in every process
/// @param workers threads of a container; the same in every process
/// @param takeOver whether to take the container from a process that runs it
public record PlacementConfig(int container, int containers, int workers, boolean takeOver) {

  public static PlacementConfig defaults() {
    return new PlacementConfig(0, 1, 2, false);
  }
}
