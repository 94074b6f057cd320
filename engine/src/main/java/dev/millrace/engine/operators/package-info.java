/// The operators that hold state or a life of their own: one instance a task, a batch at a time.
@NullMarked
package dev.millrace.engine.operators;

import org.jspecify.annotations.NullMarked;
