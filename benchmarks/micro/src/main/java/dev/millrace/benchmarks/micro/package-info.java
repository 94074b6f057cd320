/// The pieces of the hot path, one class each, as JMH measures them: `./millrace bench micro`.
///
/// An operation is one record unless its benchmark says otherwise. Each method returns or keeps
/// what it made, so that it can be compared with what was expected: nothing is measured that is not
/// also tested.
@NullMarked
package dev.millrace.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
