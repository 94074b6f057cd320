package dev.millrace.engine.lease;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.SerdeException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A record of the topic [ContainerLease#topic], for those who look from outside.
///
/// @param number grows with each of a holder's
/// @param released whether the holder has let go of the container
public record SignOfLife(int container, Holder holder, long number, boolean released) {

  /// Reads a record.
  ///
  /// @return null if it is none of Millrace's
  public static @Nullable SignOfLife read(byte @Nullable [] key, byte @Nullable [] value) {
    if (key == null || key.length != Integer.BYTES || value == null) {
      return null;
    }
    try {
      Holder.Beat beat = Holder.Beat.read(Bytes.of(value));
      return beat.container() == ByteBuffer.wrap(key).getInt()
          ? new SignOfLife(beat.container(), beat.holder(), beat.number(), beat.released())
          : null;
    } catch (SerdeException _) {
      return null;
    }
  }
}
