package dev.millrace.benchmarks.recovery;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

public final class Try {
  public static void main(String[] args) throws Exception {
    Path dir = Path.of(args[1]).toAbsolutePath();
    Files.createDirectories(dir);
    long t = System.currentTimeMillis();
    try (Lab lab =
        new Lab(new Lab.Setup(Long.parseLong(args[0]), 4, 2, List.of(1)), dir, s -> {})) {
      System.out.println("loaded in " + (System.currentTimeMillis() - t));
      lab.trickle(20_000);
      Thread.sleep(5_000);
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        System.out.println("kept " + lab.kill(0, false));
        Thread.sleep(5000 + 700 * i);
      }
      for (int i = 0; i < Integer.parseInt(args[3]); i++) {
        System.out.println("lost " + lab.kill(0, true));
        Thread.sleep(4000);
      }
    }
  }
}
