package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Q11UserSessions.UserSession;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Cuts the bids of each user where ten seconds have none: q11.
final class UserSessions implements Oracle {
  private static final long GAP = 10_000;

  private final Map<Long, UserSession> sessions = new HashMap<>();
  private final Consumer<Object> out;

  UserSessions(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    if (event instanceof Bid bid) {
      long time = bid.timeMillis();
      UserSession session = sessions.get(bid.bidder());
      if (session != null && time >= session.endMillis()) {
        out.accept(session);
        session = null;
      }
      sessions.put(
          bid.bidder(),
          session == null
              ? new UserSession(bid.bidder(), 1, time, time + GAP)
              : new UserSession(
                  bid.bidder(), session.bids() + 1, session.startMillis(), time + GAP));
    }
  }

  @Override
  public void end() {
    sessions.values().forEach(out);
  }
}
