package dev.millrace.internal.cluster.live;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesReader;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.internal.cluster.place.Bundles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A sign of life: a record of the topic [Signs#topic] under the home of its member.
///
/// @param number rises with each sign of a life
/// @param applied the version of the last decision that the member has acted upon
/// @param leads the number of the term in which the member decides; 0 if it does not
/// @param reports about each bundle that the member has anything of, in the order of their numbers
public record Sign(
    Self self, long number, Phase phase, long applied, long leads, List<Report> reports) {
  /// Whether a member stays.
  public enum Phase {
    HERE,
    /// It asks to be relieved of everything.
    LEAVING,
    /// It was told to end, and will let go of everything soon: it asks to be relieved of what
    /// others can have at once or in a few seconds.
    STOPPING,
    /// It has let go of everything, and a process of its home will be back soon.
    GONE_TO_RETURN,
    /// It has let go of everything.
    GONE;

    /// Returns whether this is the last sign of its life.
    public boolean isGone() {
      return this == GONE_TO_RETURN || this == GONE;
    }
  }

  private static final byte FORMAT = 1;

  /// By their numbers in a record. [Phase#STOPPING] is written as `LEAVING` and a byte at the end,
  /// because former versions know these only.
  private static final List<Phase> PHASES =
      List.of(Phase.HERE, Phase.LEAVING, Phase.GONE_TO_RETURN, Phase.GONE);

  private static final List<State> STATES = List.of(State.values());

  public Sign {
    reports = List.copyOf(reports);
  }

  /// Returns what the member says about a bundle; null if it has nothing of it.
  public @Nullable Report report(int bundle) {
    int low = 0;
    int high = reports.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = reports.get(middle).bundle();
      if (found == bundle) {
        return reports.get(middle);
      }
      if (found < bundle) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /// Returns whether another sign says the same of what is decided upon at once.
  public boolean isLike(Sign other) {
    if (!self.equals(other.self)
        || phase != other.phase
        || leads != other.leads
        || reports.size() != other.reports.size()) {
      return false;
    }
    for (int i = 0; i < reports.size(); i++) {
      if (!reports.get(i).isLike(other.reports.get(i))) {
        return false;
      }
    }
    return true;
  }

  byte[] key() {
    return self.home().getBytes(StandardCharsets.UTF_8);
  }

  void write(BytesWriter out) {
    out.writeByte(FORMAT);
    out.writeByte(PHASES.indexOf(phase == Phase.STOPPING ? Phase.LEAVING : phase));
    out.writeLong(self.life());
    out.writeVarLong(number);
    out.writeVarLong(applied);
    text(self.volume(), out);
    text(self.host(), out);
    text(self.rack(), out);
    out.writeInt(Float.floatToIntBits((float) self.capacity()));
    out.writeVarInt(self.leastFormat());
    out.writeVarInt(self.mostFormat());
    text(self.kind(), out);
    write(self.bundles(), out);
    out.writeVarLong(self.running().pid());
    out.writeLong(self.running().sinceMillis());
    text(self.running().http(), out);
    text(self.running().program(), out);
    out.writeVarInt(reports.size());
    for (Report report : reports) {
      out.writeVarInt(report.bundle());
      out.writeByte(STATES.indexOf(report.state()));
      out.writeVarLong(report.version());
      out.writeVarLong(report.lagMillis() + 1);
      out.writeInt(Float.floatToIntBits((float) report.weight()));
      out.writeVarLong(report.bytes());
    }
    out.writeVarLong(leads);
    if (phase == Phase.STOPPING) {
      out.writeByte((byte) 1);
    }
  }

  /// Reads a record.
  ///
  /// @return null if it has a format that this version does not know
  static @Nullable Sign read(String home, Bytes value) {
    BytesReader in = new BytesReader(value);
    if (in.readByte() != FORMAT) {
      return null;
    }
    Phase phase = PHASES.get(in.readByte());
    long life = in.readLong();
    long number = in.readVarLong();
    long applied = in.readVarLong();
    Self self =
        new Self(
            home,
            life,
            text(in),
            text(in),
            text(in),
            Float.intBitsToFloat(in.readInt()),
            in.readVarInt(),
            in.readVarInt(),
            text(in),
            bundles(in),
            new Self.Running(in.readVarLong(), in.readLong(), text(in), text(in)));
    List<Report> reports = new ArrayList<>();
    for (int left = in.readVarInt(); left > 0; left--) {
      reports.add(
          new Report(
              in.readVarInt(),
              STATES.get(in.readByte()),
              in.readVarLong(),
              in.readVarLong() - 1,
              Float.intBitsToFloat(in.readInt()),
              in.readVarLong()));
    }
    long leads = in.remaining() == 0 ? 0 : in.readVarLong(); // former versions do not say it
    boolean stopping = phase == Phase.LEAVING && in.remaining() > 0;
    return new Sign(self, number, stopping ? Phase.STOPPING : phase, applied, leads, reports);
  }

  private static void write(Bundles bundles, BytesWriter out) {
    out.writeVarInt(bundles.ranges().size());
    for (Bundles.Range range : bundles.ranges()) {
      out.writeVarInt(range.from());
      out.writeVarInt(range.to());
    }
  }

  private static Bundles bundles(BytesReader in) {
    List<Bundles.Range> ranges = new ArrayList<>();
    for (int left = in.readVarInt(); left > 0; left--) {
      ranges.add(new Bundles.Range(in.readVarInt(), in.readVarInt()));
    }
    return new Bundles(ranges);
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
