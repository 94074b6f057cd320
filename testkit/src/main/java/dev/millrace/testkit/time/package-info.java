/// Virtual time: a clock that stands still until somebody moves it, and what happens when it moves.
@NullMarked
package dev.millrace.testkit.time;

import org.jspecify.annotations.NullMarked;
