-- fingerprint: 0 1 2
SELECT seller, id, SUM(highest) OVER last / COUNT(*) OVER last
FROM (
  SELECT seller, id, expires, MAX(price) AS highest
  FROM auction JOIN bid ON auction = id AND bid.time BETWEEN auction.time AND expires
  GROUP BY id
)
WINDOW last AS (
  PARTITION BY seller ORDER BY expires, id ROWS BETWEEN 9 PRECEDING AND CURRENT ROW)
