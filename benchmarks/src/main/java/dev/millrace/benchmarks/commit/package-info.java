/// What guarantees cost: the changelog, and exactly-once.
@NullMarked
package dev.millrace.benchmarks.commit;

import org.jspecify.annotations.NullMarked;
