/// What is kept of an application's plans, so that a start whose plan does not fit the state is
/// refused before it touches anything, and told why.
@NullMarked
package dev.millrace.internal.engine.versions;

import org.jspecify.annotations.NullMarked;
