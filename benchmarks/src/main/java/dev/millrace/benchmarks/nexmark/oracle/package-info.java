/// What the queries of Nexmark must give, computed plainly over all events in order.
@NullMarked
package dev.millrace.benchmarks.nexmark.oracle;

import org.jspecify.annotations.NullMarked;
