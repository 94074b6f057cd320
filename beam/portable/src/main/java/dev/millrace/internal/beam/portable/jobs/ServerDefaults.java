package dev.millrace.internal.beam.portable.jobs;

import java.util.List;

/// What holds for pipelines that do not say otherwise.
///
/// @param parallelism how many tasks each part of a pipeline has
/// @param settings of applications, such as `commit.interval=100ms`
public record ServerDefaults(int parallelism, List<String> settings) {}
