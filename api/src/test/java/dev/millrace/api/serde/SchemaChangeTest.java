package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaChangeTest {
  private static void assertChange(
      String before, String after, List<String> obstacles, List<String> losses) {
    assertEquals(
        new SchemaChange(obstacles, losses, List.of()), SchemaChange.between(before, after));
  }

  @Test
  void whatIsTheSameOrWidenedOrRenamedLosesNothing() {
    assertChange("P{n:int}", "P{n:int}", List.of(), List.of());
    assertChange("P{n:int,x:float}", "P{n:long,x:double?}", List.of(), List.of());
    assertChange("P{n:int}", "Q{visits=n:long}", List.of(), List.of());
    assertChange("P{visits=n:long}", "P{count=visits=n:long}", List.of(), List.of());
    assertChange("list<P{n:int}>", "list<P{n:long}>", List.of(), List.of());
  }

  @Test
  void componentsThatAreAddedOrRemovedAreLost() {
    assertChange(
        "P{n:int,fax:string}",
        "P{n:int,email:string,of:Q{a:int}}",
        List.of(),
        List.of("the component email of P", "the component of of P", "the component fax of new P"));
    assertChange(
        "P{n:optional<Q{a:int}>}",
        "P{n:optional<Q{a:int,b:int}>}",
        List.of(),
        List.of("the component b of Q"));
  }

  @Test
  void constantsAndRecordsThatTheOldProgramDoesNotHavePreventIt() {
    assertChange(
        "P{c:enum(A,B)}",
        "P{c:enum(B,A,C)}",
        List.of("component c of P may be the constant C, which the old program does not have"),
        List.of());
    assertChange(
        "sealed(A{n:int}|B{})",
        "sealed(A{n:int}|B{}|C{})",
        List.of("a value may be a C, which the old program does not have"),
        List.of());
    assertChange(
        "P{c:ordinal(A,B)}",
        "P{c:ordinal(A,B,C)}",
        List.of("component c of P may be the constant C, which the old program does not have"),
        List.of());
  }

  @Test
  void aRecursiveRecordIsComparedOnce() {
    assertChange(
        "T{n:int,next:list<@T>}",
        "T{n:long,next:list<@T>,m:int}",
        List.of(),
        List.of("the component m of T"));
  }

  @Test
  void whatOtherSerdesWriteIsNotKnown() {
    for (List<String> pair :
        List.of(
            List.of("json", "json 2"),
            List.of("{\"type\":\"record\"}", "{\"type\":\"long\"}"),
            List.of("P{a:other\"x\"}", "P{a:other\"y\"}"),
            List.of("2001 characters, 5c1b0a2e7d9f3a84", "P{n:int}"))) {
      SchemaChange change = SchemaChange.between(pair.getFirst(), pair.getLast());
      assertEquals(1, change.unknown().size(), pair.toString());
      assertEquals(List.of(), change.obstacles());
      assertEquals(List.of(), change.losses());
    }
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
    SchemaChange change = SchemaChange.between(old.schema(), now.schema());
    assertEquals(
        List.of(
            "the component email of New",
            "the component b of Longer",
            "the component name of new Old"),
        change.losses());
    assertEquals(List.of(), change.obstacles());
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
