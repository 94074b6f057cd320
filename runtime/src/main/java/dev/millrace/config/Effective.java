package dev.millrace.config;

/// What holds in the end.
///
/// @param value as it could be written into the file; secrets are masked
/// @param origin file and line, the variable, the flag, or `default`
public record Effective(String key, String value, String origin) {}
