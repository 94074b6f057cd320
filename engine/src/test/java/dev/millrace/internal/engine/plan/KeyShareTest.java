package dev.millrace.internal.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyShareTest {
  private static final int PARTITIONS = 8;

  /// Halved in drawn order, as tasks are that are split again and again.
  private static List<KeyShare> shares(long seed) {
    Random random = new Random(seed);
    List<KeyShare> shares = new ArrayList<>(List.of(KeyShare.ALL));
    for (int i = 0; i < 20; i++) {
      KeyShare halved = shares.remove(random.nextInt(shares.size()));
      shares.add(halved.kept());
      shares.add(halved.splitOff());
    }
    return shares;
  }

  @Test
  void eachKeyIsInOneOfAllShares() {
    for (long seed = 0; seed < 50; seed++) {
      List<KeyShare> shares = shares(seed);
      for (int i = 0; i < 500; i++) {
        Bytes key = key(i);
        assertEquals(1, shares.stream().filter(share -> share.has(key)).count(), "seed " + seed);
      }
      assertEquals(1, shares.stream().filter(KeyShare::hasKeyless).count(), "seed " + seed);
    }
  }

  /// The keys of a partition have hashes of one kind already.
  @Test
  void theKeysOfAPartitionAreHalvedEvenly() {
    int[] all = new int[PARTITIONS];
    int[] kept = new int[PARTITIONS];
    for (int i = 0; i < 80_000; i++) {
      int partition = Partitioner.partition(key(i), PARTITIONS);
      all[partition]++;
      kept[partition] += KeyShare.ALL.kept().has(key(i)) ? 1 : 0;
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      double share = (double) kept[partition] / all[partition];
      assertTrue(share > 0.47 && share < 0.53, "partition " + partition + ": " + share);
    }
  }

  @Test
  void aShareIsHalvedOnlySoOften() {
    KeyShare share = KeyShare.ALL;
    for (int i = 0; i < KeyShare.MOST_BITS; i++) {
      share = share.splitOff();
    }
    assertThrows(IllegalArgumentException.class, share::kept);
    assertFalse(share.isAll());
  }

  /// What a task has when it begins follows from the order in which tasks were split alone.
  @Test
  void aTaskThatIsSplitOffHasWhatTheOthersHaveNot() {
    SplitTasks splits = new SplitTasks(10);
    splits.add(20, 3);
    splits.add(21, 3);
    splits.add(22, 20);
    List<KeyShare> shares =
        List.of(
            KeyShare.ALL.kept().kept(), // 3
            splits.firstShare(20).kept(),
            splits.firstShare(21),
            splits.firstShare(22));
    assertEquals(KeyShare.ALL, splits.firstShare(3));
    for (int i = 0; i < 1_000; i++) {
      Bytes key = key(i);
      assertEquals(1, shares.stream().filter(share -> share.has(key)).count(), key.toUtf8());
    }
    assertThrows(IllegalArgumentException.class, () -> splits.add(22, 3));
    assertFalse(splits.add(22, 20));
  }

  private static Bytes key(int number) {
    return Bytes.of(("key " + number).getBytes(StandardCharsets.UTF_8));
  }
}
