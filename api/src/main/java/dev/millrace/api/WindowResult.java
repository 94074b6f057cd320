package dev.millrace.api;

/// What was computed for a key in a window.
public record WindowResult<K, A>(Window window, K key, A value) {}
