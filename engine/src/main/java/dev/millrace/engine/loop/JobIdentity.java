package dev.millrace.engine.loop;

import java.time.Duration;

/// What a job writes into commit records and on disks, to know later that they are its own.
///
/// @param clusterId of the log
/// @param changelogTopicId a recreated topic has another one
/// @param deletionsKept how long the changelog keeps a deletion after compaction has come to it
/// @param placement how tasks are distributed
public record JobIdentity(
    String clusterId, String changelogTopicId, Duration deletionsKept, String placement) {}
