/// A pipeline of Apache Beam: what the members of a site look at, and what they do in one visit.
@NullMarked
package dev.millrace.examples.beam;

import org.jspecify.annotations.NullMarked;
