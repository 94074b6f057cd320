/// Turning objects into bytes and back.
///
/// [Serde] is the contract; [Serdes] holds what comes with Millrace. [Bytes] is the view that
/// serdes read from and [BytesWriter] the buffer they write to: neither allocates for a record.
@NullMarked
package dev.millrace.api.serde;

import org.jspecify.annotations.NullMarked;
