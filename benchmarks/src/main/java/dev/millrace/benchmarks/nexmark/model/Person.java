package dev.millrace.benchmarks.nexmark.model;

/// Somebody comes, who may sell and bid.
public record Person(
    long id,
    String name,
    String emailAddress,
    String creditCard,
    String city,
    String state,
    long timeMillis,
    String extra)
    implements Event {}
