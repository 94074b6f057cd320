/// Reads from outside the tasks: what is committed of a store, answered by the worker that owns it.
///
/// To read: `CommittedStore`, `Question`, `Questions`.
@NullMarked
package dev.millrace.internal.engine.query;

import org.jspecify.annotations.NullMarked;
