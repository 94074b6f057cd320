package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// The same done to Kafka Streams, with its two ways to share tasks out: a process joins, leaves in
/// order, and is killed, under the same load. Of each engine, the longest time in which a partition
/// had no rows counts, and what that is of the whole throughput.
final class PeerRow implements RowPlay {
  private static final int PROCESSES = 3;

  /// At most a fifth is wanted.
  private static final double SHARE = 0.2;

  /// What is done to a process.
  private enum Deed {
    JOIN,
    LEAVE,
    DIE
  }

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Map<Contender, Map<Deed, PeerScene.Loss>> all = new EnumMap<>(Contender.class);
    for (Contender contender : Contender.values()) {
      all.put(contender, play(stage, contender));
    }
    Map<Deed, PeerScene.Loss> ours = all.getOrDefault(Contender.MILLRACE, Map.of());
    all.forEach((contender, losses) -> {
      if (contender == Contender.MILLRACE) {
        return;
      }
      losses.forEach((deed, theirs) -> {
        PeerScene.Loss our = ours.getOrDefault(deed, PeerScene.Loss.NONE);
        String name = "Millrace by " + contender.title();
        stage.add(
            name,
            words(deed) + ": longest",
            "times",
            Goal.medianIs(SHARE),
            our.longest() / theirs.longest());
        stage.add(
            name,
            words(deed) + ": lost",
            "times",
            Goal.medianIs(SHARE),
            our.lost() / theirs.lost());
      });
    });
  }

  private static Map<Deed, PeerScene.Loss> play(Stage stage, Contender contender)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Map<Deed, PeerScene.Loss> losses = new EnumMap<>(Deed.class);
    try (PeerScene scene =
        PeerScene.open(
            contender,
            stage.setup(),
            stage.directory().resolve(contender.id()),
            what -> stage.progress().accept("peer, %s: %s".formatted(contender.title(), what)))) {
      for (int slot = 0; slot < PROCESSES; slot++) {
        scene.start(slot);
      }
      scene.fill();
      for (Deed deed : Deed.values()) {
        PeerScene.Loss loss =
            switch (deed) {
              case JOIN -> scene.loss(() -> scene.start(PROCESSES));
              case LEAVE -> scene.loss(() -> scene.stop(PROCESSES));
              case DIE -> {
                scene.loss(() -> scene.start(PROCESSES));
                yield scene.loss(() -> scene.kill(PROCESSES));
              }
            };
        losses.put(deed, loss);
        String what = words(deed);
        stage.add(
            contender.title(), what + ": longest of a partition", "s", Goal.NONE, loss.longest());
        stage.add(
            contender.title(), what + ": lost, of all throughput", "s", Goal.NONE, loss.lost());
      }
      Expected.Wrong wrong = scene.end();
      boolean isOurs = contender == Contender.MILLRACE;
      stage.add(
          contender.title(),
          isOurs ? "wrong" : "wrong rows",
          "rows",
          isOurs ? Goal.mostIs(0) : Goal.NONE,
          (double) wrong.all());
    }
    return losses;
  }

  private static String words(Deed deed) {
    return switch (deed) {
      case JOIN -> "join";
      case LEAVE -> "leave";
      case DIE -> "die";
    };
  }
}
