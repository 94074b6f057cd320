-- fingerprint: 0 1 2 3
WITH
  gaps AS (
    SELECT bidder, time, time - LAG(time) OVER (PARTITION BY bidder ORDER BY time, number) AS gap, number
    FROM bid
  ),
  numbered AS (
    SELECT
      bidder, time,
      SUM(gap IS NULL OR gap >= 10000) OVER (PARTITION BY bidder ORDER BY time, number) AS session
    FROM gaps
  )
SELECT bidder, COUNT(*), MIN(time), MAX(time) + 10000 FROM numbered GROUP BY bidder, session
