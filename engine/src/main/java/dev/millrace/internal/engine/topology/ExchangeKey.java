package dev.millrace.internal.engine.topology;

import dev.millrace.api.function.Mapper;
import dev.millrace.internal.engine.operators.Parameters;

/// What an exchange makes the key of a record from.
///
/// @param function gives the key from the value
/// @param parameters that tell another function of the application from it
record ExchangeKey(Mapper<Object, Object> function, Parameters parameters) {

  /// That of the application.
  ///
  /// @param what it gives, in messages
  static ExchangeKey of(String what, Mapper<?, ?> function) {
    return new ExchangeKey(
        Erased.mapper(function), Parameters.NONE.withCode(what, FunctionCode.of(function)));
  }

  /// One that is no business of the application.
  static ExchangeKey own(Mapper<Object, Object> function) {
    return new ExchangeKey(function, Parameters.NONE);
  }
}
