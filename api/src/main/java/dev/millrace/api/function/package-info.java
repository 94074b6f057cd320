/// The functions that an application hands to operators.
///
/// They are shared by all tasks and may run on several threads at once: a function is pure and
/// holds no state of its own. They extend [java.io.Serializable] for one reason only: so that the
/// types of a lambda can be read when the topology is built. Nothing is ever serialized.
@NullMarked
package dev.millrace.api.function;

import org.jspecify.annotations.NullMarked;
