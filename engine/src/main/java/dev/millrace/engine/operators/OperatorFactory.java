package dev.millrace.engine.operators;

/// Makes the operator of one task.
@FunctionalInterface
public interface OperatorFactory {
  Operator create();
}
