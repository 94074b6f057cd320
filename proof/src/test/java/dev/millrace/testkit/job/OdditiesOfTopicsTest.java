package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What happens to the topics of an application, and to its job, is not seen in the results of any
/// operator, or the job does not go on and says where and what to do.
class OdditiesOfTopicsTest {
  static Set<String> operators() {
    return OddityTable.operators();
  }

  @ParameterizedTest
  @MethodSource("operators")
  void nothingOddIsSeenInResults(String operator) {
    assertTrue(OddityTable.LOG.row(operator).size() > 2);
  }

  @Test
  void theDocumentSaysWhatTheyDo() throws IOException {
    OddityDocument.requireWritten("topics", OddityTable.LOG);
  }
}
