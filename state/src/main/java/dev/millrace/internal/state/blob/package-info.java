/// A blob store in a folder, for one host or on a mount that many share.
@NullMarked
package dev.millrace.internal.state.blob;

import org.jspecify.annotations.NullMarked;
