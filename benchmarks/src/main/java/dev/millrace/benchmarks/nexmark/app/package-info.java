/// The queries of Nexmark as applications: with a source, and with somewhere for the results.
@NullMarked
package dev.millrace.benchmarks.nexmark.app;

import org.jspecify.annotations.NullMarked;
