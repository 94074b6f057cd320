package dev.millrace.config;

/// A value as somebody gave it.
///
/// @param key the setting's key, such as `commit.interval`
/// @param name what the giver called it: the key, a flag or a variable
/// @param origin for people: file and line, the variable or the flag
record Given(String key, String name, String text, String origin) {}
