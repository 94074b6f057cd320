package dev.millrace.internal.engine.operators;

/// Makes the operator of one task.
@FunctionalInterface
public interface OperatorFactory {
  Operator create();
}
