package dev.millrace.internal.state;

import dev.millrace.api.serde.Serde;

/// A serde that writes another format from some moment on, while stores use it. It always reads
/// both.
public interface SwitchingSerde<T> extends Serde<T> {

  /// Returns the serde that writes the later format, before that moment, too.
  Serde<T> later();
}
