package dev.millrace.config;

/// A setting as a run would have it, and where its value comes from.
///
/// @param value as it could be written into the file; secrets are masked
/// @param origin file and line, the variable, the flag, or `default`
public record Effective(String key, String value, String origin) {}
