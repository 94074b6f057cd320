package dev.millrace.internal.engine.operators;

import java.util.List;

/// Keys for tests that draw them: those of the first few numbers already are prefixes of each other
/// and one is empty; more differ behind their eighth byte, have bytes above 0x7F, or share hashes.
/// Their order is that of their bytes.
public final class DrawnKeys {
  private static final List<String> TEXTS =
      List.of(
          "a",
          "a\0",
          "",
          "aa",
          "account-1000000000001",
          "account-1000000000001\0",
          "account-1000000000002",
          "\u00ff\u00ff",
          "\0\0\0\0\0\0\0\u0001",
          "\0\0\0\0\0\0\u0001\0",
          "\0\0\0\0\0\0\0\0",
          "\0",
          "\0\0",
          "account",
          "account-",
          // Alike to the hash of texts and bytes in Java.
          "Aa",
          "BB",
          // Alike to the partitioner of Kafka's producer, murmur2.
          "user-687486",
          "user-1004232",
          "user-682928",
          "user-1018339",
          "\u0080",
          "\u00e9t\u00e9",
          "\u65e5\u672c",
          "\ud83d\ude00",
          "ab",
          "b",
          "a\0\0",
          "account-10000000000010000000000000000000000000000000000000000000",
          "\u007f\u007f\u007f\u007f\u007f\u007f\u007f\u007f");

  private DrawnKeys() {}

  /// One of thirty; another one for each number.
  public static String text(int number) {
    return TEXTS.get(number);
  }
}
