package dev.millrace.kafka.serdes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

/// Avro with a registry through [KafkaSerdes]: what was written with one schema is read with
/// another.
class AvroTest {
  private static final Schema V1 =
      SchemaBuilder.record("Trend")
          .fields()
          .requiredString("tag")
          .requiredInt("count")
          .requiredString("dropped")
          .endRecord();

  private static final Schema V2 =
      SchemaBuilder.record("Trend")
          .fields()
          .requiredLong("count")
          .requiredString("tag")
          .name("language")
          .type()
          .stringType()
          .stringDefault("en")
          .endRecord();

  private final SchemaRegistry registry = new SchemaRegistry();

  private Serde<GenericRecord> serde(Schema reading) {
    return KafkaSerdes.of(
            new SchemaRegistry.Writer(registry, false),
            new SchemaRegistry.Reader(registry, reading))
        .forTopic("trends", false);
  }

  private static GenericRecord v1(String tag, int count) {
    return new GenericRecordBuilder(V1)
        .set("tag", tag)
        .set("count", count)
        .set("dropped", "x")
        .build();
  }

  private static byte[] bytes(Serde<GenericRecord> serde, GenericRecord value) {
    BytesWriter out = new BytesWriter();
    out.writeByte(9);
    serde.write(value, out);
    return out.view(new Bytes(), 1).toByteArray();
  }

  private static GenericRecord read(Serde<GenericRecord> serde, byte[] bytes) {
    byte[] around = new byte[bytes.length + 7];
    System.arraycopy(bytes, 0, around, 3, bytes.length);
    return serde.read(new Bytes().set(around, 3, bytes.length));
  }

  @Test
  void whatWasWrittenWithAnOlderSchemaIsReadWithANewer() {
    byte[] old = bytes(serde(V1), v1("kafka", 17));
    GenericRecord read = read(serde(V2), old);
    assertEquals(V2, read.getSchema());
    assertEquals("kafka", read.get("tag").toString());
    assertEquals(17L, read.get("count"));
    assertEquals("en", read.get("language").toString());
    byte[] renewed = bytes(serde(V2), read);
    assertEquals(read, read(serde(V2), renewed));
    assertEquals(Map.of("trends-value", List.of(1, 2)), registry.subjects());
  }

  @Test
  void theBytesAreThoseOfRegistries() {
    byte[] bytes = bytes(serde(V1), v1("ab", 3));
    // 0, id 1, then "ab" after its length, 3, "x" after its length; Avro's numbers are zig-zag.
    byte[] expected = {0, 0, 0, 0, 1, 4, 'a', 'b', 6, 2, 'x'};
    assertEquals(Bytes.of(expected), Bytes.of(bytes));
  }

  @Test
  void bytesThatDoNotFitAreBadInput() {
    byte[] good = bytes(serde(V1), v1("kafka", 17));
    byte[] unknown = ByteBuffer.wrap(good.clone()).putInt(1, 99).array();
    byte[] noMagic = good.clone();
    noMagic[0] = 1;
    for (byte[] bad :
        List.of(unknown, noMagic, new byte[0], Arrays.copyOf(good, 4), Arrays.copyOf(good, 8))) {
      SerdeException e = assertThrows(SerdeException.class, () -> read(serde(V2), bad));
      assertEquals(
          "the value cannot be read by dev.millrace.kafka.serdes.SchemaRegistry$Reader:"
              + " SerializationException",
          e.getMessage());
      assertInstanceOf(SerializationException.class, e.getCause());
    }
  }

  @Test
  void damagedBytesAreReadOrRefused() {
    Serde<GenericRecord> serde = serde(V2);
    byte[] good = bytes(serde(V1), v1("a longer tag", 170_000));
    Random random = new Random(5);
    int refused = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] bad = good.clone();
      bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      int length = random.nextInt(3) == 0 ? random.nextInt(bad.length) : bad.length;
      try {
        read(serde, Arrays.copyOf(bad, length));
      } catch (SerdeException e) {
        refused++;
      }
    }
    assertTrue(refused > 2_000 && refused < 10_000, "some were refused: " + refused);
  }

  @Test
  void aRegistryThatIsAwayIsNoBadInput() {
    byte[] good = bytes(serde(V1), v1("kafka", 17));
    registry.goAway();
    SerializationException reading =
        assertThrows(SerializationException.class, () -> read(serde(V2), good));
    assertInstanceOf(ConnectException.class, reading.getCause());
    assertThrows(SerializationException.class, () -> bytes(serde(V1), v1("kafka", 17)));
  }

  @Test
  void aKeyIsCanonicalOnlyByPromise() {
    Serde<GenericRecord> keys =
        KafkaSerdes.of(
            new SchemaRegistry.Writer(registry, true), new SchemaRegistry.Reader(registry, V1));
    assertFalse(keys.canonical());
    Serde<GenericRecord> promised = KafkaSerdes.canonical(keys).forTopic("trends", true);
    assertTrue(promised.canonical());
    assertEquals(Bytes.of(bytes(promised, v1("a", 1))), Bytes.of(bytes(promised, v1("a", 1))));
    assertEquals(Map.of("trends-key", List.of(1)), registry.subjects());
  }
}
