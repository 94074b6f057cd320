/// Ways into a job for tests and benchmarks.
@NullMarked
package dev.millrace.internal.runtime;

import org.jspecify.annotations.NullMarked;
