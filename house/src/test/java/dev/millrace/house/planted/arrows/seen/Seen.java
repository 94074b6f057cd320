package dev.millrace.house.planted.arrows.seen;

/// Is seen.
public record Seen(int number) {}
