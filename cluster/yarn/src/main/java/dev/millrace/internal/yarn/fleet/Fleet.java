package dev.millrace.internal.yarn.fleet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The processes of an application: where each is asked for, and what becomes of it when it ends.
///
/// A process is asked for on the host where it ran last, and nowhere else, because its state is
/// there; after [FleetPolicy#affinityWait] anywhere. The first time it is asked for on the host
/// that has the fewest, where YARN may choose another one. A host on which processes fail again and
/// again as soon as they are started is avoided for a while. A process that ends in order, or for a
/// reason that no start mends, is not started again; nor is one that keeps failing.
///
/// Time is handed in, in milliseconds of a clock that never goes back. Not thread-safe.
public final class Fleet {
  private static final String ABSENT = "-";
  private static final int GIVEN_UP_UNSEEN = 1;

  private final FleetPolicy policy;
  private final List<Slot> slots = new ArrayList<>();
  private final List<String> hosts;
  private final Set<String> away = new TreeSet<>();
  private final Set<String> gone = new TreeSet<>();
  private final HostHealth health;
  private long lastAsk;
  private boolean stopping;

  /// @param homes the hosts where the processes of a former run had their state, one a process; as
  ///   many as are known
  /// @param hosts on which containers may be
  public Fleet(FleetPolicy policy, int count, List<String> homes, Collection<String> hosts) {
    this.policy = policy;
    this.hosts = List.copyOf(hosts);
    health = new HostHealth(policy);
    this.hosts.forEach(health::know);
    for (int number = 0; number < count; number++) {
      Slot slot = new Slot(number);
      slot.home = number < homes.size() ? homes.get(number) : null;
      slots.add(slot);
    }
  }

  /// Goes on where the fleet of a former master was.
  ///
  /// @param lines what that one's [#lines] were
  public void restore(List<String> lines, long nowMillis) {
    for (String line : lines) {
      String[] parts = line.split(" ", -1);
      if (parts.length != 5) {
        throw new IllegalArgumentException("'%s' is no line of a fleet.".formatted(line));
      }
      Slot slot = slots.get(Integer.parseInt(parts[0]));
      slot.home = value(parts[3]);
      switch (Slot.State.valueOf(parts[1])) {
        case OVER -> slot.over(Integer.parseInt(parts[4]));
        case RUNNING, MISSING -> {
          slot.state = Slot.State.MISSING;
          slot.container = value(parts[2]);
          slot.sinceMillis = nowMillis;
        }
        case RESTING, ASKED -> slot.rest(nowMillis);
      }
    }
  }

  private static @Nullable String value(String part) {
    return part.equals(ABSENT) ? null : part;
  }

  /// Returns what a later master needs to know, a line a process.
  public List<String> lines() {
    return slots.stream()
        .map(slot ->
            String.join(
                " ",
                Integer.toString(slot.number),
                slot.state.name(),
                Objects.requireNonNullElse(slot.container, ABSENT),
                Objects.requireNonNullElse(slot.home, ABSENT),
                Integer.toString(slot.status)))
        .toList();
  }

  /// Returns the hosts where state is, one a process, as far as they are known.
  public List<String> homes() {
    List<String> homes = new ArrayList<>();
    slots.forEach(slot -> {
      if (slot.home != null) {
        homes.add(slot.home);
      }
    });
    return homes;
  }

  /// Returns the containers that run.
  public List<String> running() {
    List<String> running = new ArrayList<>();
    for (Slot slot : slots) {
      if (slot.state == Slot.State.RUNNING) {
        running.add(Objects.requireNonNull(slot.container));
      }
    }
    return running;
  }

  /// From now on nothing is started again.
  public void stop() {
    stopping = true;
  }

  /// A host does not answer, or does again.
  public void hostIs(String host, boolean there) {
    if (there) {
      away.remove(host);
      gone.remove(host);
    } else {
      away.add(host);
    }
  }

  /// A host was taken out of the cluster: nobody waits for it.
  public void hostIsGone(String host) {
    gone.add(host);
  }

  /// A container of a former master runs.
  ///
  /// @return whether it belongs to a process; else it is to be given back
  public boolean adopted(String container, String host, long nowMillis) {
    health.know(host);
    for (Slot slot : slots) {
      if (container.equals(slot.container)) {
        if (slot.state == Slot.State.MISSING) {
          slot.state = Slot.State.RUNNING;
          slot.home = host;
          slot.sinceMillis = nowMillis;
        }
        return true;
      }
    }
    return false;
  }

  /// YARN has given a container.
  ///
  /// @param ask what it was asked for with
  /// @return the number of the process that is to be started in it; -1 if it is to be given back
  public int granted(long ask, String container, String host, long nowMillis) {
    health.know(host);
    for (Slot slot : slots) {
      if (slot.state == Slot.State.ASKED && slot.ask == ask) {
        if (stopping || health.avoids(host)) {
          slot.rest(nowMillis);
          return -1;
        }
        slot.state = Slot.State.RUNNING;
        slot.container = container;
        slot.home = host;
        slot.sinceMillis = nowMillis;
        return slot.number;
      }
    }
    return -1;
  }

  /// A container has ended.
  ///
  /// @return the number of the process; -1 if it was none
  public int ended(String container, int status, long nowMillis) {
    for (Slot slot : slots) {
      if (container.equals(slot.container)) {
        ended(slot, status, nowMillis);
        return slot.number;
      }
    }
    return -1;
  }

  private void ended(Slot slot, int status, long nowMillis) {
    boolean seen = slot.state == Slot.State.RUNNING;
    long livedMillis = seen ? nowMillis - slot.sinceMillis : Long.MAX_VALUE;
    End end = End.of(status);
    if (livedMillis >= policy.longLife().toMillis()) {
      slot.failures = 0;
    }
    switch (end) {
      case DONE, FINAL -> slot.over(status);
      case RESTART, TAKEN_AWAY -> slot.rest(nowMillis);
      case KILLED -> slot.rest(nowMillis + policy.shortestPause().toMillis());
      case NOT_STARTED, FAILED -> failed(slot, end, status, livedMillis, nowMillis);
    }
    if (stopping && slot.state != Slot.State.OVER) {
      slot.over(end == End.FAILED ? status : 0);
    }
  }

  private void failed(Slot slot, End end, int status, long livedMillis, long nowMillis) {
    slot.failures++;
    if (slot.home != null
        && (end == End.NOT_STARTED || livedMillis < policy.shortLife().toMillis())) {
      health.failed(slot.home, nowMillis);
    }
    if (slot.failures >= policy.giveUpAfter()) {
      slot.over(status == 0 ? GIVEN_UP_UNSEEN : status);
    } else {
      slot.rest(nowMillis + slot.pause(policy).toMillis());
    }
  }

  /// Returns what is to be told to YARN now.
  public List<Order> step(long nowMillis) {
    List<Order> orders = new ArrayList<>();
    health.advance(nowMillis);
    if (waitsTooLong(nowMillis)) {
      health.forgive(); // a bad host is better than none
    }
    orders.addAll(health.changes());
    for (Slot slot : slots) {
      switch (slot.state) {
        case MISSING -> {
          if (nowMillis - slot.sinceMillis >= policy.adoptionWait().toMillis()) {
            slot.rest(nowMillis);
          }
        }
        case ASKED -> {
          if (stopping) {
            orders.add(new Order.Withdraw(slot.ask));
            slot.over(0);
          } else if (slot.strict && isInVain(slot, nowMillis)) {
            orders.add(new Order.Withdraw(slot.ask));
            orders.add(ask(slot, null, false, nowMillis));
          }
        }
        case RESTING -> {
          if (stopping) {
            slot.over(0);
          } else if (nowMillis >= slot.sinceMillis) {
            orders.add(ask(slot, nowMillis));
          }
        }
        case RUNNING, OVER -> {}
      }
    }
    return orders;
  }

  /// Whether some process is asked for anywhere, and only hosts that are avoided may have room.
  private boolean waitsTooLong(long nowMillis) {
    return health.avoidsAny()
        && slots.stream()
            .anyMatch(slot ->
                slot.state == Slot.State.ASKED
                    && !slot.strict
                    && nowMillis - slot.sinceMillis >= policy.affinityWait().toMillis());
  }

  private boolean isInVain(Slot slot, long nowMillis) {
    String host = Objects.requireNonNull(slot.wanted);
    return nowMillis - slot.sinceMillis >= policy.affinityWait().toMillis() || isHopeless(host);
  }

  private boolean isHopeless(String host) {
    return health.avoids(host) || gone.contains(host);
  }

  private Order ask(Slot slot, long nowMillis) {
    String home = slot.home;
    if (home == null) {
      return ask(slot, emptiest(), false, nowMillis);
    }
    boolean hopeless = isHopeless(home);
    return ask(slot, hopeless ? null : home, !hopeless, nowMillis);
  }

  private Order ask(Slot slot, @Nullable String host, boolean strict, long nowMillis) {
    slot.state = Slot.State.ASKED;
    slot.ask = ++lastAsk;
    slot.wanted = host;
    slot.strict = strict;
    slot.sinceMillis = nowMillis;
    return new Order.Ask(slot.ask, host, strict);
  }

  /// Returns the host with the fewest processes, the first one of several; null if none is known.
  private @Nullable String emptiest() {
    String best = null;
    long least = Long.MAX_VALUE;
    for (String host : hosts) {
      long there = slots.stream().filter(slot -> isAt(slot, host)).count();
      if (there < least && !isHopeless(host) && !away.contains(host)) {
        best = host;
        least = there;
      }
    }
    return best;
  }

  private static boolean isAt(Slot slot, String host) {
    return switch (slot.state) {
      case ASKED -> host.equals(slot.wanted);
      case RUNNING, MISSING, RESTING -> host.equals(slot.home);
      case OVER -> false;
    };
  }

  /// Returns the status of the whole, once nothing is to be done any more: 0, or the first one that
  /// is not. Empty before.
  public @Nullable Integer status() {
    int first = 0;
    for (Slot slot : slots) {
      if (slot.state != Slot.State.OVER) {
        return null;
      }
      first = first == 0 ? slot.status : first;
    }
    return first;
  }

  /// Returns a line for each process, for people.
  public List<String> said() {
    return slots.stream()
        .map(slot ->
            switch (slot.state) {
              case RESTING -> "%d: is to be started again".formatted(slot.number);
              case ASKED ->
                  slot.wanted == null
                      ? "%d: asked for on any host".formatted(slot.number)
                      : "%d: asked for on %s%s"
                          .formatted(slot.number, slot.wanted, slot.strict ? "" : " or elsewhere");
              case RUNNING ->
                  "%d: runs on %s in %s".formatted(slot.number, slot.home, slot.container);
              case MISSING -> "%d: not heard of yet, in %s".formatted(slot.number, slot.container);
              case OVER -> "%d: has ended with status %d".formatted(slot.number, slot.status);
            })
        .toList();
  }
}
