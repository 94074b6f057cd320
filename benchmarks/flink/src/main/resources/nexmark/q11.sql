-- fingerprint: 0 1 2 3
-- Flink joins sessions that touch; here a gap of ten seconds parts them.
SELECT bidder, COUNT(*) AS bids, window_start, window_end + INTERVAL '0.001' SECOND AS ends
FROM TABLE(
  SESSION(TABLE bid PARTITION BY bidder, DESCRIPTOR(eventTime), INTERVAL '9.999' SECOND))
GROUP BY bidder, window_start, window_end
