package dev.millrace.engine.loop;

/// What a job writes into commit records and on disks, to know later that they are its own.
///
/// @param clusterId of the log
/// @param changelogTopicId a recreated topic has another one
/// @param placement how tasks are distributed
public record JobIdentity(String clusterId, String changelogTopicId, String placement) {}
