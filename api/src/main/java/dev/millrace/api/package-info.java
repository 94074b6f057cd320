/// What the author of an application reads: streams, tables, windows and functions.
@NullMarked
package dev.millrace.api;

import org.jspecify.annotations.NullMarked;
