-- fingerprint: 0 1 2 3 4 5 6
SELECT
  auction, bidder, euros,
  CASE
    WHEN hour BETWEEN 8 AND 18 THEN 'dayTime'
    WHEN hour IN (7, 19) THEN 'otherTime'
    ELSE 'nightTime'
  END,
  time, extra, length(extra) - length(replace(extra, 'c', ''))
FROM (SELECT *, price * 908 AS euros, time / 3600000 % 24 AS hour FROM bid)
WHERE euros > 1000000000 AND euros < 50000000000
