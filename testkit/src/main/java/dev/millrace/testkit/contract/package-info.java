/// Suites that every implementation of an interface passes, the model as well as the real thing.
///
/// A suite is an abstract JUnit class; a test class of the implementation extends it and says how
/// to get one. What takes its time in reality is waited for, never timed.
@NullMarked
package dev.millrace.testkit.contract;

import org.jspecify.annotations.NullMarked;
