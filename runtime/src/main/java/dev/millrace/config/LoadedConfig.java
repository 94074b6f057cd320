package dev.millrace.config;

import java.util.List;

/// A configuration, and where its values come from.
///
/// @param effective every setting and every property of Kafka's clients that was given
public record LoadedConfig(JobConfig job, List<Effective> effective) {}
