package dev.millrace.benchmarks.localstate;

/// What one run of a case gave.
///
/// @param rate records a second
/// @param cpuSeconds of the job's process, a million records
/// @param storeCpuSeconds of the process of a store elsewhere, a million records; 0 without one
/// @param peakBytes most resident memory of the job's process
/// @param storeBytes resident memory of a store elsewhere, at the end; 0 without one
/// @param p50Millis half of the records were done with a slice that took no longer
record Run(
    double rate,
    double cpuSeconds,
    double storeCpuSeconds,
    long peakBytes,
    long storeBytes,
    double p50Millis,
    double p99Millis) {}
