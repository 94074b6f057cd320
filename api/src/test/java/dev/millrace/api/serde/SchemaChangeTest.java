package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaChangeTest {
  private static void assertLosses(String before, String after, String... losses) {
    assertEquals(List.of(losses), SchemaChange.losses(before, after));
  }

  @Test
  void whatIsTheSameOrWidenedOrRenamedLosesNothing() {
    assertLosses("P{n:int}", "P{n:int}");
    assertLosses("P{n:int,x:float}", "P{n:long,x:double?}");
    assertLosses("P{n:int}", "Q{visits=n:long}");
    assertLosses("P{visits=n:long}", "P{count=visits=n:long}");
    assertLosses("list<P{n:int}>", "list<P{n:long}>");
  }

  @Test
  void componentsThatAreAddedOrRemovedAreLost() {
    assertLosses(
        "P{n:int,fax:string}",
        "P{n:int,email:string,of:Q{a:int}}",
        "the component email of P",
        "the component of of P",
        "the component fax of new P");
    assertLosses(
        "P{n:optional<Q{a:int}>}", "P{n:optional<Q{a:int,b:int}>}", "the component b of Q");
  }

  @Test
  void constantsAndRecordsThatTheOldProgramDoesNotHaveAreNotWrittenMeanwhile() {
    assertLosses("P{c:enum(A,B)}", "P{c:enum(B,A,C)}");
    assertLosses("sealed(A{n:int}|B{})", "sealed(A{n:int}|B{}|C{})");
    assertLosses("sealed(A{n:int}|B{})", "sealed(A{n:int,m:int}|B{})", "the component m of A");
  }

  @Test
  void aRecursiveRecordIsComparedOnce() {
    assertLosses("T{n:int,next:list<@T>}", "T{n:long,next:list<@T>,m:int}", "the component m of T");
  }

  record Old(int n, String name, List<Inner> inner) {}

  record Inner(long a) {}

  record New(int n, @Nullable String email, List<Longer> inner) {}

  record Longer(long a, int b) {}

  /// The oracle is the serde of the old program: it reads what the new one wrote, and what it does
  /// not find or drops is what was said to be lost.
  @Test
  void theOldSerdeReadsWhatIsNotAnObstacle() {
    Serde<Old> old = Serdes.record(Old.class);
    Serde<New> now = Serdes.record(New.class);
    assertLosses(
        old.schema(),
        now.schema(),
        "the component email of New",
        "the component b of Longer",
        "the component name of new Old");
    assertEquals(Optional.empty(), Serdes.obstacle(old, now.schema()));
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      List<Longer> inner = new ArrayList<>();
      List<Inner> expected = new ArrayList<>();
      for (int n = random.nextInt(4); n > 0; n--) {
        inner.add(new Longer(random.nextLong(), random.nextInt()));
        expected.add(new Inner(inner.getLast().a));
      }
      New written = new New(random.nextInt(), "e" + i, inner);
      BytesWriter out = new BytesWriter(16);
      now.write(written, out);
      Old read = old.read(Bytes.of(out.toByteArray()));
      assertEquals(new Old(written.n, null, expected), read);
    }
  }
}
