/// The job server, by which pipelines of Apache Beam in any language run on Millrace.
@NullMarked
package dev.millrace.beam.portable;

import org.jspecify.annotations.NullMarked;
