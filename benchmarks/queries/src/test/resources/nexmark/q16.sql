-- fingerprint: 0 1 2 (3 4 5 6) (7 8 9 10) (11 12 13 14)
SELECT
  channel, day, strftime('%H:%M', MAX(time) / 1000, 'unixepoch'),
  COUNT(*), COUNT(*) FILTER (WHERE rank = 1), COUNT(*) FILTER (WHERE rank = 2),
  COUNT(*) FILTER (WHERE rank = 3),
  COUNT(DISTINCT bidder), COUNT(DISTINCT bidder) FILTER (WHERE rank = 1),
  COUNT(DISTINCT bidder) FILTER (WHERE rank = 2), COUNT(DISTINCT bidder) FILTER (WHERE rank = 3),
  COUNT(DISTINCT auction), COUNT(DISTINCT auction) FILTER (WHERE rank = 1),
  COUNT(DISTINCT auction) FILTER (WHERE rank = 2), COUNT(DISTINCT auction) FILTER (WHERE rank = 3)
FROM (
  SELECT
    *, 1 + (price >= 10000) + (price >= 1000000) AS rank,
    strftime('%Y-%m-%d', time / 1000, 'unixepoch') AS day
  FROM bid
)
GROUP BY channel, day
