package dev.millrace.house.planted.doors.internal;

/// A type that users must not see.
public class Hidden {}
