package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesReader;
import dev.millrace.api.serde.BytesWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// What somebody would write by hand for [Order]: the fields one after the other. It checks no more
/// than it has to, and no other version of the record can read it.
final class OrderByHand {
  private static final Order.Status[] STATUS = Order.Status.values();

  private OrderByHand() {}

  @SuppressWarnings({"EnumOrdinal", "JavaInstantGetSecondsGetNano"}) // as somebody would
  static void write(Order order, BytesWriter out) {
    out.writeLong(order.id());
    text(order.customer(), out);
    out.writeByte(order.status().ordinal());
    out.writeVarInt(order.items());
    out.writeLong(Double.doubleToLongBits(order.total()));
    out.writeLong(order.at().getEpochSecond());
    out.writeInt(order.at().getNano());
    out.writeByte(order.paid() ? 1 : 0);
    text(order.note(), out);
  }

  private static void text(String text, BytesWriter out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeVarInt(bytes.length);
    out.write(bytes);
  }

  static Order read(Bytes in) {
    BytesReader reader = new BytesReader(in);
    return new Order(
        reader.readLong(),
        text(reader),
        STATUS[reader.readByte()],
        reader.readVarInt(),
        Double.longBitsToDouble(reader.readLong()),
        Instant.ofEpochSecond(reader.readLong(), reader.readInt()),
        reader.readByte() != 0,
        text(reader));
  }

  private static String text(BytesReader reader) {
    return new String(reader.readBytes(reader.readLength()), StandardCharsets.UTF_8);
  }
}
