package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each operator does with odd records what it does with plain ones, in the odd form, or refuses
/// them and says where and what to do.
class OdditiesTest {
  static Set<String> operators() {
    return OddityTable.operators();
  }

  @ParameterizedTest
  @MethodSource("operators")
  void nothingOddIsTakenInSilence(String operator) {
    assertTrue(OddityTable.RECORDS.row(operator).size() > 10);
  }

  @Test
  void theDocumentSaysWhatTheyDo() throws IOException {
    OddityDocument.requireWritten("records", OddityTable.RECORDS);
  }
}
