-- fingerprint: 0 1 2 3 4 5 6 7 8 9
SELECT
  auction,
  DATE_FORMAT(eventTime, 'yyyy-MM-dd') AS dt,
  COUNT(*) AS bids,
  COUNT(*) FILTER (WHERE price < 10000) AS bids1,
  COUNT(*) FILTER (WHERE price >= 10000 AND price < 1000000) AS bids2,
  COUNT(*) FILTER (WHERE price >= 1000000) AS bids3,
  MIN(price) AS least,
  MAX(price) AS highest,
  AVG(price) AS average,
  SUM(price) AS total
FROM bid
GROUP BY auction, DATE_FORMAT(eventTime, 'yyyy-MM-dd')
