package dev.millrace.testkit.mutants;

/// What is changed in a method. A call is named by the simple name of the class it is made on and
/// by the method's name.
sealed interface Edit {

  /// Calls are left out; what they would have returned is null, zero or false.
  record SkipCalls(String owner, String method) implements Edit {}

  /// Calls go to a static method of [Wrong] instead, which gets the object first, if there is one.
  record Redirect(String owner, String method, String wrong) implements Edit {}

  /// The last argument of calls, a `long`, gets larger.
  record AddToLastArgument(String owner, String method, long added) implements Edit {}

  /// The method does nothing and returns true, or nothing.
  record DoNothing() implements Edit {}
}
