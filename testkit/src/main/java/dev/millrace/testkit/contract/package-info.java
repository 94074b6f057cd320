/// Test suites for the contracts of interfaces, which every implementation must pass, models
/// included.
///
/// A suite is an abstract JUnit class; a test class of the implementation extends it and returns
/// the implementation. The suites wait for delayed effects, and never depend on timing.
@NullMarked
package dev.millrace.testkit.contract;

import org.jspecify.annotations.NullMarked;
