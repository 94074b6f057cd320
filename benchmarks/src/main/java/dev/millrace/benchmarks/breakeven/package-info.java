/// Figure 7 of Noghabi et al.: up to how many changes a second a changelog writes less than full
/// checkpoints do, by formula and as measured.
@NullMarked
package dev.millrace.benchmarks.breakeven;

import org.jspecify.annotations.NullMarked;
