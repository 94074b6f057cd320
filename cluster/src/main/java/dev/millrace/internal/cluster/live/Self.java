package dev.millrace.internal.cluster.live;

/// What a process says of itself.
///
/// @param home the id of its state directory, which outlives the process; it names the member
/// @param life differs for each process of a home
/// @param rack empty if it is unknown
/// @param capacity how much it can process compared with the others; above 0
/// @param leastFormat the first level of formats that it reads
/// @param mostFormat the last level of formats that it reads
/// @param plan the fingerprint of the plan that it runs
public record Self(
    String home,
    long life,
    String host,
    String rack,
    double capacity,
    int leastFormat,
    int mostFormat,
    String plan) {}
