package dev.millrace.benchmarks.nexmark.query;

import static dev.millrace.api.Windows.sessions;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// How many bids each user makes while active: until there is none for ten seconds.
public final class Q11UserSessions implements Query<Q11UserSessions.UserSession> {

  /// A session and its bids.
  public record UserSession(long bidder, long bids, long startMillis, long endMillis) {}

  @Override
  public Class<UserSession> type() {
    return UserSession.class;
  }

  @Override
  public void build(Events events, Results<UserSession> results) {
    results.take(
        events
            .bids()
            .map(Bare::bid)
            .groupBy("bids-by-bidder", Bid::bidder)
            .window(sessions(ofSeconds(10)).allowedLateness(ZERO))
            .count("sessions")
            .results(session ->
                new UserSession(
                    session.key(),
                    session.value(),
                    session.window().start().toEpochMilli(),
                    session.window().end().toEpochMilli())));
  }

  @Override
  public long fingerprint(UserSession session) {
    return Fingerprint.of(session.bidder, session.bids, session.startMillis, session.endMillis);
  }
}
