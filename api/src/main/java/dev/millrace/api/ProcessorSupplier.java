package dev.millrace.api;

import java.io.Serializable;

/// Makes a new processor, once for each task.
@FunctionalInterface
public interface ProcessorSupplier<K, V, R> extends Serializable {
  Processor<K, V, R> get();
}
