package dev.millrace;

import org.jspecify.annotations.Nullable;

/// Why a job could not go on.
///
/// @param exitCode what a process that ran the job should return; see [ExitCode]
/// @param message for a person: names topic, partition, offset, store or file, and the way out
public record JobFailure(int exitCode, String message, @Nullable Throwable cause) {}
