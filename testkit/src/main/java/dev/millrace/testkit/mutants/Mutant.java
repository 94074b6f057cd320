package dev.millrace.testkit.mutants;

/// A planted bug: a change of one method, made to its class file when it is loaded.
///
/// @param name the name by which it is chosen
/// @param fault the description of the bug
/// @param className the class of the method
/// @param method the name of the method; lambdas in it are included
/// @param scenario the scenario, with the seed, that finds it
public record Mutant(
    String name,
    String fault,
    String className,
    String method,
    Edit edit,
    String scenario,
    long caughtBy) {}
