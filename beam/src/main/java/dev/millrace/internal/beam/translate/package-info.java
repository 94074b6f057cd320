/// Makes a topology of a pipeline: an operator of each of its transforms, and exchanges where
/// elements go to the task that has their key. Begin with `Translator`.
@NullMarked
package dev.millrace.internal.beam.translate;

import org.jspecify.annotations.NullMarked;
