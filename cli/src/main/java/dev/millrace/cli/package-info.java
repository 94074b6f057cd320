/// The command `millrace`: [Main] and a class for each of its commands.
@NullMarked
package dev.millrace.cli;

import org.jspecify.annotations.NullMarked;
