package dev.millrace.internal.kafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ClientMemoryTest {
  private static final int MB = 1 << 20;

  /// However small the share of a worker is.
  @Test
  void aRequestAndWhatABatchUnpacksToHoldTheLargestRecord() {
    for (int record : new int[] {MB, 8 * MB, 32 * MB, 64 * MB}) {
      ClientMemory memory = new ClientMemory(0, 0).withRecords(record);
      assertTrue(memory.requestBytes() > record, memory::toString);
      assertTrue(memory.sendBytes() >= memory.requestBytes(), memory::toString);
      assertTrue(memory.unpackedBytes(memory.answerBytes()) > record, memory::toString);
    }
  }

  @Test
  void smallerRecordsChangeNothing() {
    ClientMemory usual = ClientMemory.defaults();
    assertEquals(usual, usual.withRecords(100));
    assertEquals(8 * MB, usual.requestBytes());
  }
}
