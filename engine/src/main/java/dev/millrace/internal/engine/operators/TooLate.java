package dev.millrace.internal.engine.operators;

/// A row that came too late for all its windows, among an operator's results: where the application
/// wants to have them, they are parted from the results behind the operator.
///
/// @param value of the row
public record TooLate(Object value) {}
