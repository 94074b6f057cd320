-- fingerprint: 0 1
SELECT category, SUM(highest) / COUNT(*)
FROM (
  SELECT category, MAX(price) AS highest
  FROM auction JOIN bid ON auction = id AND bid.time BETWEEN auction.time AND expires
  GROUP BY id
)
GROUP BY category
