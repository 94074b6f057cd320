/// The queries of Nexmark, each a class, written as an application would.
@NullMarked
package dev.millrace.benchmarks.nexmark.query;

import org.jspecify.annotations.NullMarked;
