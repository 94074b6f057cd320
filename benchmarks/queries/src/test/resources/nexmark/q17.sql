-- fingerprint: 0 1 2 3 4 5 6 7 8 9
SELECT
  auction, day,
  COUNT(*), COUNT(*) FILTER (WHERE rank = 1), COUNT(*) FILTER (WHERE rank = 2),
  COUNT(*) FILTER (WHERE rank = 3), MIN(price), MAX(price), SUM(price) / COUNT(*), SUM(price)
FROM (
  SELECT
    *, 1 + (price >= 10000) + (price >= 1000000) AS rank,
    strftime('%Y-%m-%d', time / 1000, 'unixepoch') AS day
  FROM bid
)
GROUP BY auction, day
