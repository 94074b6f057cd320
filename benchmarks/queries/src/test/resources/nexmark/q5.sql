-- fingerprint: 0 1 2 3
WITH
  slide(n) AS (VALUES (0), (1), (2), (3), (4)),
  counts AS (
    SELECT auction, (time / 2000 - n) * 2000 AS start, COUNT(*) AS bids
    FROM bid, slide
    GROUP BY 1, 2
  ),
  most AS (SELECT start, MAX(bids) AS bids FROM counts GROUP BY start)
SELECT auction, bids, start, start + 10000 FROM counts NATURAL JOIN most
