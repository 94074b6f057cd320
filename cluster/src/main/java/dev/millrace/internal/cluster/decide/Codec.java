package dev.millrace.internal.cluster.decide;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesReader;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.cluster.decide.Orders.Own;
import dev.millrace.internal.cluster.place.Home;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The records of the topic with the decisions, as bytes.
///
/// A key is `term`, `member/` and a home, `bundle/` and a number, `drained/` and the name of a
/// member or a host, `moved/` and the number of a bundle, `part/` and the number of a bundle,
/// `split/` and the number of a bundle, or `restart/` and a home. A value begins with the number of
/// its format; later versions add fields at its end, which earlier ones pass over.
final class Codec {
  static final String TERM = "term";
  static final String MEMBER = "member/";
  static final String BUNDLE = "bundle/";
  static final String DRAINED = "drained/";
  static final String MOVED = "moved/";
  static final String PART = "part/";
  static final String SPLIT = "split/";
  static final String RESTART = "restart/";
  private static final byte FORMAT = 1;
  private static final int RESIGNED = 1;
  private static final int COMPLETED = 2;
  private static final int FORCE = 1;
  private static final int GIVING = 2;

  private Codec() {}

  /// Returns whether a value can be read by this version.
  static boolean isKnown(Bytes value) {
    return value.length() > 0 && new BytesReader(value).readByte() == FORMAT;
  }

  /// A drain says nothing but that it is there.
  static void writeDrained(BytesWriter out) {
    out.writeByte(FORMAT);
  }

  static void write(MoveRequest request, BytesWriter out) {
    out.writeByte(FORMAT);
    text(request.home(), out);
    out.writeLong(request.life());
    text(request.from(), out);
  }

  static MoveRequest move(Bytes value) {
    BytesReader in = afterFormat(value);
    return new MoveRequest(text(in), in.readLong(), text(in));
  }

  static void write(Part part, BytesWriter out) {
    out.writeByte(FORMAT);
    out.writeVarInt(part.parent());
    out.writeByte(part.ready() ? 1 : 0);
  }

  static Part part(Bytes value) {
    BytesReader in = afterFormat(value);
    return new Part(in.readVarInt(), in.readByte() != 0);
  }

  static void write(SplitRequest request, BytesWriter out) {
    out.writeByte(FORMAT);
    text(request.refusal(), out);
  }

  static SplitRequest split(Bytes value) {
    return new SplitRequest(text(afterFormat(value)));
  }

  static void write(RestartRequest request, BytesWriter out) {
    out.writeByte(FORMAT);
    out.writeLong(request.life());
    out.writeVarLong(request.patienceMillis());
  }

  static RestartRequest restart(Bytes value) {
    BytesReader in = afterFormat(value);
    return new RestartRequest(in.readLong(), in.readVarLong());
  }

  static void write(Term term, BytesWriter out) {
    out.writeByte(FORMAT);
    out.writeVarLong(term.number());
    out.writeVarLong(term.version());
    out.writeVarLong(term.beat());
    text(term.leader(), out);
    out.writeLong(term.life());
    out.writeByte((term.resigned() ? RESIGNED : 0) | (term.completed() ? COMPLETED : 0));
    text(term.kind(), out);
  }

  static Term term(Bytes value) {
    BytesReader in = afterFormat(value);
    long number = in.readVarLong();
    long version = in.readVarLong();
    long beat = in.readVarLong();
    String leader = text(in);
    long life = in.readLong();
    int flags = in.readByte();
    return new Term(
        number,
        version,
        beat,
        leader,
        life,
        (flags & RESIGNED) != 0,
        (flags & COMPLETED) != 0,
        text(in));
  }

  static void write(Orders orders, BytesWriter out) {
    out.writeByte(FORMAT);
    out.writeVarLong(orders.version());
    out.writeVarInt(orders.owned().size());
    orders
        .owned()
        .forEach((bundle, own) -> {
          out.writeVarInt(bundle);
          out.writeVarLong(own.version());
          out.writeByte((own.force() ? FORCE : 0) | (own.giving() ? GIVING : 0));
          text(own.heir(), out);
        });
    out.writeVarInt(orders.followed().size());
    orders.followed().forEach(out::writeVarInt);
    for (Own own : orders.owned().values()) {
      if (own.giving()) {
        out.writeVarLong(own.heirVersion());
      }
    }
  }

  static Orders orders(Bytes value) {
    BytesReader in = afterFormat(value);
    long version = in.readVarLong();
    SortedMap<Integer, Own> owned = new TreeMap<>();
    List<Integer> giving = new ArrayList<>();
    for (int left = in.readVarInt(); left > 0; left--) {
      int bundle = in.readVarInt();
      long since = in.readVarLong();
      int flags = in.readByte();
      owned.put(bundle, new Own(since, (flags & FORCE) != 0, text(in), 0));
      if ((flags & GIVING) != 0) {
        giving.add(bundle);
      }
    }
    SortedSet<Integer> followed = new TreeSet<>();
    for (int left = in.readVarInt(); left > 0; left--) {
      followed.add(in.readVarInt());
    }
    for (int bundle : giving) {
      Own own = Objects.requireNonNull(owned.get(bundle));
      // Former versions do not say it: the heir is told when the owner has let go.
      long heirVersion = in.remaining() == 0 ? own.version() : in.readVarLong();
      owned.put(bundle, new Own(own.version(), own.force(), own.heir(), heirVersion));
    }
    return new Orders(version, owned, followed);
  }

  static void write(List<Home> homes, BytesWriter out) {
    out.writeByte(FORMAT);
    out.writeVarInt(homes.size());
    for (Home home : homes) {
      text(home.home(), out);
      text(home.volume(), out);
    }
  }

  static List<Home> homes(Bytes value) {
    BytesReader in = afterFormat(value);
    List<Home> homes = new ArrayList<>();
    for (int left = in.readVarInt(); left > 0; left--) {
      homes.add(new Home(text(in), text(in)));
    }
    return homes;
  }

  private static BytesReader afterFormat(Bytes value) {
    BytesReader in = new BytesReader(value);
    in.skip(1);
    return in;
  }

  private static void text(String text, BytesWriter out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeVarInt(bytes.length);
    out.write(bytes);
  }

  private static String text(BytesReader in) {
    return new String(in.readBytes(in.readLength()), StandardCharsets.UTF_8);
  }
}
