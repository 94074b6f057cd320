/// Transfers between accounts: results that agree with each other.
@NullMarked
package dev.millrace.examples.transfers;

import org.jspecify.annotations.NullMarked;
