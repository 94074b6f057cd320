package dev.millrace.internal.engine.lease;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.settings.Placement;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A record of the topic [ContainerLease#topic]: what a process says of itself and of the container
/// that it runs.
///
/// Processes of two versions read each other's, so what is written never changes but at its end:
/// whatever a later version adds there is passed over, and what cannot be read without knowing more
/// has another number of format.
///
/// @param containers how many there are, as this process was told
/// @param workers how many each of them has, as it was told
/// @param placement all of that and how tasks commit; see [Placement#text]
/// @param number grows with each of a holder's
/// @param released whether the holder has let go of the container
/// @param inputs a number for the streams that the process reads; see
///   [dev.millrace.internal.engine.plan.PlanDescription#inputsHash]
/// @param plan the hash of the plan that the process runs; empty if its version of Millrace did not
///   write it
public record SignOfLife(
    int container,
    int containers,
    int workers,
    String placement,
    Holder holder,
    long number,
    boolean released,
    String inputs,
    String plan) {
  private static final byte FORMAT = 1;

  static SignOfLife of(
      Placement placement, ProgramVersion program, Holder holder, long number, boolean released) {
    return new SignOfLife(
        placement.container(),
        placement.containers(),
        placement.workers(),
        placement.text(),
        holder,
        number,
        released,
        program.inputs(),
        program.plan());
  }

  /// What stands for a record of a format that this version does not know: it fits no placement.
  static SignOfLife ofAnotherVersion(int container) {
    return new SignOfLife(container, 0, 0, "", new Holder("", 0, 0, "", ""), 0, false, "", "");
  }

  /// Reads a record.
  ///
  /// @return null if it is none of Millrace's, or of a format that this version does not know
  public static @Nullable SignOfLife read(byte @Nullable [] key, byte @Nullable [] value) {
    if (key == null || key.length != Integer.BYTES || value == null) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    try {
      if (in.get() != FORMAT) {
        return null;
      }
      int container = in.getInt();
      boolean released = in.get() != 0;
      long number = in.getLong();
      int containers = in.getInt();
      int workers = in.getInt();
      String placement = readText(in);
      long pid = in.getLong();
      long since = in.getLong();
      Holder holder = new Holder(readText(in), pid, since, readText(in), readText(in));
      SignOfLife sign =
          new SignOfLife(
              container,
              containers,
              workers,
              placement,
              holder,
              number,
              released,
              readText(in),
              in.hasRemaining() ? readText(in) : "");
      return container == ByteBuffer.wrap(key).getInt() ? sign : null;
    } catch (BufferUnderflowException _) {
      return null;
    }
  }

  /// What the topic is compacted by.
  byte[] key() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(container).array();
  }

  void write(BytesWriter out) {
    out.writeByte(FORMAT);
    out.writeInt(container);
    out.writeByte((byte) (released ? 1 : 0));
    out.writeLong(number);
    out.writeInt(containers);
    out.writeInt(workers);
    writeText(placement, out);
    out.writeLong(holder.pid());
    out.writeLong(holder.sinceMillis());
    writeText(holder.host(), out);
    writeText(holder.home(), out);
    writeText(holder.http(), out);
    writeText(inputs, out);
    writeText(plan, out);
  }

  /// Whether its process was told a placement and reads the same as a program.
  boolean isAlike(Placement other, ProgramVersion program) {
    return placement.equals(other.text()) && inputs.equals(program.inputs());
  }

  /// Whether a process with a placement and a program can run beside its process.
  boolean fits(Placement other, ProgramVersion program) {
    return placement.equals(other.text())
        && (inputs.equals(program.inputs()) || program.beside().contains(inputs));
  }

  private static void writeText(String text, BytesWriter out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
