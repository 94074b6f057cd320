package dev.millrace;

import org.jspecify.annotations.Nullable;

/// The reason why a job failed.
///
/// @param exitCode what a process that ran the job should return; see [ExitCode]
/// @param message for people: names the topic, partition, offset, store or file, and what to do
public record JobFailure(int exitCode, String message, @Nullable Throwable cause) {}
