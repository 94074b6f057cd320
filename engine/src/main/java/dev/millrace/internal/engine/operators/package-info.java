/// What an operator is, and the windows that rows are assigned to.
///
/// [dev.millrace.internal.engine.operators.Operator] is what new operators implement: a task has
/// one instance of each, which takes rows a batch at a time, keeps its state in stores of an
/// [dev.millrace.internal.engine.operators.OperatorContext], and emits into a
/// [dev.millrace.internal.engine.operators.RowSink]. A
/// [dev.millrace.internal.engine.operators.Declaration] says which stores and serdes it has, before
/// there is a task.
///
/// The operators themselves lie in packages below, which see this one and `rows`, and not each
/// other: `window`, `join`, `table`, and `outside` for other systems and for users' processors.
@NullMarked
package dev.millrace.internal.engine.operators;

import org.jspecify.annotations.NullMarked;
