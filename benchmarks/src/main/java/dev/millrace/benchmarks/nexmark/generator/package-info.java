/// Makes the events of Nexmark, each from its number. Stands on the JDK alone, as peers use it.
@NullMarked
package dev.millrace.benchmarks.nexmark.generator;

import org.jspecify.annotations.NullMarked;
