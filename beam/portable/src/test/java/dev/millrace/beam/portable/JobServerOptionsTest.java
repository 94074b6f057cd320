package dev.millrace.beam.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobServerOptionsTest {
  @Test
  void nothingIsSaid() {
    assertEquals(JobServerOptions.defaults(), JobServerOptions.of(List.of()));
  }

  @Test
  void allIsSaid() {
    assertEquals(
        new JobServerOptions("here", 0, 3, List.of("log=memory", "a=b=c")),
        JobServerOptions.of(
            List.of(
                "--settings=log=memory",
                "--host=here",
                "--port=0",
                "--parallelism=3",
                "--settings=a=b=c")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--prot=1", "--port", "--port=", "--port=x", "--port=-1", "--parallelism=0", "x"})
  void whatIsWrongIsNamed(String wrong) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> JobServerOptions.of(List.of(wrong)));
    assertTrue(
        String.valueOf(refused.getMessage()).contains(wrong.split("=")[0]), refused.getMessage());
  }
}
