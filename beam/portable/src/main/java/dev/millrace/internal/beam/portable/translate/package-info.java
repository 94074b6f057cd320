/// Makes a topology of a pipeline in Beam's portable form: an operator of each of its stages, and
/// exchanges where elements go to the task that has their key. Begin with `PortableTranslator`.
@NullMarked
package dev.millrace.internal.beam.portable.translate;

import org.jspecify.annotations.NullMarked;
