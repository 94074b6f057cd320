package dev.millrace.testkit.cluster;

import dev.millrace.internal.cluster.Hands;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.spi.LogException;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The engine of one process, as far as it concerns who owns what: takes and gives take their time.
/// It waits for others for ever, where an engine bars them at last: so it shows whom the
/// coordinator forgets.
final class ModelHands implements Hands {
  /// The bundle that cannot be split.
  private static final int UNSPLITTABLE = 0;

  private final String home;
  private final Ledger ledger;
  private final Seed seed;
  private final Map<Integer, Bundle> bundles = new TreeMap<>();

  /// By the bundles that are split off from others, these.
  private final Map<Integer, Integer> parents = new TreeMap<>();

  /// Whether the process lets go of everything because it ends.
  boolean ending;

  /// Whether all input of what it owns has ended.
  boolean ended;

  private static final class Bundle {
    State state = State.STORED;
    long version;
    long untilNanos;
    boolean follows;

    /// A version that is to be taken once what is given up has been let go of.
    long again;
  }

  ModelHands(String home, Ledger ledger, Seed seed) {
    this.home = home;
    this.ledger = ledger;
    this.seed = seed;
    ledger.stored(home).forEach(bundle -> bundles.put(bundle, new Bundle()));
  }

  private Bundle bundle(int number) {
    ledger.store(home, number);
    return bundles.computeIfAbsent(number, key -> new Bundle());
  }

  private long in(Duration least, Duration most) {
    return ledger.nowNanos() + seed.between(least, most).toNanos();
  }

  @Override
  public void take(int number, long version, boolean force) {
    Bundle bundle = bundle(number);
    boolean ours = ledger.take(number, home, version, force);
    if (bundle.state == State.LEAVING) {
      bundle.again = ours ? version : 0;
    } else if (ours) {
      begin(bundle, version);
    } else {
      bundle.state = State.STORED; // it finds a higher claim and withdraws
    }
  }

  private void begin(Bundle bundle, long version) {
    boolean owned = bundle.state == State.OWNER;
    boolean warm = bundle.follows;
    bundle.version = version;
    bundle.again = 0;
    bundle.follows = false;
    if (!owned) {
      bundle.state = State.TAKING;
      bundle.untilNanos =
          warm
              ? in(Duration.ZERO, Duration.ofMillis(100))
              : in(Duration.ofMillis(50), Duration.ofMillis(900));
    }
  }

  @Override
  public void give(int number) {
    Bundle bundle = bundle(number);
    ledger.give(number, home, bundle.version, ending);
    if (bundle.state.isHeld()) {
      bundle.state = State.LEAVING;
      bundle.untilNanos = in(Duration.ofMillis(5), Duration.ofMillis(200));
      bundle.follows = seed.coin(); // it may be kept up to date until something else is asked for
    }
  }

  @Override
  public void follow(int number) {
    Bundle bundle = bundle(number);
    bundle.follows = true;
    if (!bundle.state.isHeld()) {
      bundle.state = State.FOLLOWING;
      bundle.untilNanos = in(Duration.ofMillis(50), Duration.ofSeconds(2));
    }
  }

  @Override
  public void knows(int part, int parent) {
    parents.put(part, parent);
  }

  @Override
  public String whyNotSplit(int bundle) {
    return bundle == UNSPLITTABLE ? "Its stores say no keys." : "";
  }

  @Override
  public int addBundle(int least) {
    if (ledger.isFull) {
      throw new LogException(LogException.Kind.REFUSED, "There are too many partitions.");
    }
    return least;
  }

  @Override
  public void split(int number, int part) {
    Bundle bundle = bundle(number);
    if (number == UNSPLITTABLE) {
      ledger.note("bundle " + number + " is split that cannot be");
    }
    boolean owns = bundle.state == State.OWNER && ledger.holds(number, home, bundle.version);
    if (owns && seed.coin()) { // else the commit that does it fails
      ledger.bear(part);
    }
  }

  @Override
  public void forget(int number) {
    Bundle bundle = bundle(number);
    bundle.follows = false;
    if (!bundle.state.isHeld()) {
      bundle.state = State.STORED;
    }
  }

  /// Lets happen what takes time.
  void step() {
    bundles.forEach((number, bundle) -> {
      if (bundle.state.isHeld() && !ledger.holds(number, home, bundle.version)) {
        bundle.state = State.STORED; // it finds itself barred
      }
      boolean over = ledger.nowNanos() >= bundle.untilNanos;
      if (bundle.state == State.TAKING && ledger.isDisplaced(number, home, bundle.version)) {
        ledger.release(number, home, bundle.version);
        bundle.state = State.STORED; // it withdraws
      } else if (bundle.state == State.TAKING
          && over
          && ledger.isFree(number, home)
          && (!parents.containsKey(number) || ledger.exists(number))) {
        bundle.state = State.OWNER;
      } else if (bundle.state == State.LEAVING && over) {
        bundle.state = bundle.follows ? State.FOLLOWING : State.STORED;
        ledger.release(number, home, bundle.version);
        if (bundle.again > 0 && ledger.holds(number, home, bundle.again)) {
          begin(bundle, bundle.again);
        }
      }
    });
  }

  State state(int number) {
    Bundle bundle = bundles.get(number);
    return bundle == null ? State.STORED : bundle.state;
  }

  @Override
  public List<Report> reports() {
    List<Report> reports = new ArrayList<>();
    bundles.forEach((number, bundle) -> {
      boolean warm = ledger.nowNanos() >= bundle.untilNanos;
      boolean unborn = parents.containsKey(number) && !ledger.exists(number);
      long lag =
          switch (bundle.state) {
            case FOLLOWING -> warm ? 10 : 5000;
            case TAKING -> warm && unborn ? 0 : -1;
            default -> -1;
          };
      State state = ended && bundle.state == State.OWNER ? State.DONE : bundle.state;
      reports.add(new Report(number, state, bundle.version, lag, 1, ledger.bytes(number)));
    });
    return reports;
  }
}
