package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Samples.Boxes;
import dev.millrace.api.serde.Samples.Node;
import dev.millrace.api.serde.Samples.Order;
import dev.millrace.api.serde.Samples.Pair;
import dev.millrace.api.serde.Samples.Shape;
import dev.millrace.api.serde.Samples.Simple;
import dev.millrace.api.serde.Samples.Trend;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SchemaTest {
  interface Other {
    record Trend(int a) {}
  }

  @Test
  void schemasAreShortTexts() {
    assertSchema(
        "Trend{windowStart:instant,rank:int,tag:string,count:long}", Serdes.record(Trend.class));
    assertSchema(
        "Boxes{flag:boolean?,small:byte?,half:short?,letter:char?,"
            + "whole:int?,big:long?,f:float?,d:double?}",
        Serdes.record(Boxes.class));
    assertSchema(
        "Simple{text:string,section:enum(SKILL,JOB,SCHOOL),uuid:uuid,instant:instant,"
            + "duration:duration,date:localDate,time:localTime,dateTime:localDateTime,"
            + "integer:bigInteger,decimal:bigDecimal,bytes:bytes}",
        Serdes.record(Simple.class));
    assertSchema(
        "Order{number:long,lines:list<Line{article:string,pieces:int,price:bigDecimal}>,"
            + "labels:set<string>,counts:map<string,list<int>>,gift:optional<@Line>,"
            + "nested:optional<optional<string>>}",
        Serdes.record(Order.class));
    assertSchema(
        "Node{value:int,left:@Node,right:@Node,others:list<@Node>}", Serdes.record(Node.class));
    assertSchema(
        "sealed(Circle{radius:double}|Square{side:double,colour:string}|"
            + "Group{name:string,members:list<sealed(@Circle|@Square|@Group)>})",
        Serdes.forType(Shape.class));
    assertSchema(
        "Pair{first:Trend{windowStart:instant,rank:int,tag:string,count:long},"
            + "second:Trend#2{a:int}}",
        Serdes.forType(new TypeRef<Pair<Trend, Other.Trend>>() {}));
  }

  private static void assertSchema(String expected, Serde<?> serde) {
    assertEquals(expected, serde.schema());
    assertEquals(expected, SchemaParser.parse(expected).text());
    assertTrue(serde.canRead(expected));
  }

  @Test
  void idsNameTheClassWithItsArguments() {
    assertEquals("record:dev.millrace.api.serde.Samples$Trend", Serdes.record(Trend.class).id());
    assertEquals(
        "record:dev.millrace.api.serde.Samples$Pair<string,list<long>>",
        Serdes.forType(new TypeRef<Pair<String, List<Long>>>() {}).id());
    assertEquals("sealed:dev.millrace.api.serde.Samples$Shape", Serdes.forType(Shape.class).id());
  }

  @Test
  void aTextThatIsNoSchemaIsSaidToBeNone() {
    assertEquals(
        Optional.of(
            "the written schema cannot be understood: no text of a schema: expected '}' at"
                + " character 11"),
        Serdes.obstacle(Serdes.record(Trend.class), "Trend{a:int"));
    for (String text :
        List.of(
            "",
            "a:",
            "list<",
            "list<a",
            "x(a)",
            "enum(a",
            "x\"a\"",
            "other\"a",
            "A{b}",
            "A{a:int}}",
            "sealed(int)",
            "A{a:A{b:int}}")) {
      assertThrows(SerdeException.class, () -> SchemaParser.parse(text), text);
    }
  }

  @Test
  void damagedTextsAreParsedOrRefused() {
    Random random = new Random(99);
    String text = Serdes.record(Order.class).schema() + Serdes.forType(Shape.class).schema();
    for (int i = 0; i < 20_000; i++) {
      int from = random.nextInt(text.length());
      StringBuilder damaged = new StringBuilder(text.substring(from / 8));
      for (int k = random.nextInt(4); k >= 0; k--) {
        damaged.setCharAt(
            random.nextInt(damaged.length()), "{}()<>|,:\"\\@#a".charAt(random.nextInt(14)));
      }
      damaged.setLength(random.nextInt(damaged.length()));
      Serdes.obstacle(Serdes.record(Order.class), damaged.toString());
      Serdes.obstacle(Serdes.forType(Shape.class), damaged.toString());
    }
    Serdes.obstacle(Serdes.record(Order.class), "list<".repeat(1_000_000));
  }

  @Test
  void aForeignSerdeDecidesForItself() {
    Serde<List<String>> reader = Serdes.listOf(new Foreign("v2"));
    assertEquals("list<other\"v2 \\\"quoted\\\" \\\\\">", reader.schema());
    assertEquals(
        Optional.empty(), Serdes.obstacle(reader, Serdes.listOf(new Foreign("v1")).schema()));
    assertTrue(Serdes.obstacle(reader, Serdes.listOf(new Foreign("w")).schema()).isPresent());
    assertTrue(Serdes.obstacle(reader, "list<string>").isPresent());
    assertEquals(
        Optional.of("it was written as w and would be read as v2 \"quoted\" \\"),
        Serdes.obstacle(new Foreign("v2"), "w"));
  }

  private record Foreign(String version) implements Serde<String> {
    @Override
    public String id() {
      return "foreign";
    }

    @Override
    public String schema() {
      return version + " \"quoted\" \\";
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return writtenSchema.startsWith("v");
    }

    @Override
    public void write(String value, BytesWriter out) {
      Serdes.string().write(value, out);
    }

    @Override
    public String read(Bytes in) {
      return Serdes.string().read(in);
    }
  }
}
