package dev.millrace.testkit.mutants;

/// A planted bug: a change of one method, made to its class file when it is loaded.
///
/// @param name by which it is chosen
/// @param fault what is wrong with it, in words
/// @param className whose method it is
/// @param method its name; the lambdas in it are meant too
/// @param scenario and seed that find it
public record Mutant(
    String name,
    String fault,
    String className,
    String method,
    Edit edit,
    String scenario,
    long caughtBy) {}
