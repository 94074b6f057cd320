-- fingerprint: 0 1 2 3 4 5 6
SELECT
  auction,
  bidder,
  CAST(0.908 * price AS DECIMAL(23, 3)) AS price,
  CASE
    WHEN HOUR(eventTime) BETWEEN 8 AND 18 THEN 'dayTime'
    WHEN HOUR(eventTime) <= 6 OR HOUR(eventTime) >= 20 THEN 'nightTime'
    ELSE 'otherTime'
  END AS part,
  eventTime,
  extra,
  count_char(extra, 'c') AS letters
FROM bid
WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000
