/// Nexmark's events as sources of Millrace, inside the process.
@NullMarked
package dev.millrace.benchmarks.nexmark.source;

import org.jspecify.annotations.NullMarked;
