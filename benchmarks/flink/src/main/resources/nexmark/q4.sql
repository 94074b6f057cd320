-- fingerprint: 0 1
SELECT category, AVG(highest) AS price
FROM (
  SELECT a.id, a.category, MAX(b.price) AS highest
  FROM auction AS a
  JOIN bid AS b ON b.auction = a.id
  WHERE b.eventTime BETWEEN a.eventTime AND a.expires
  GROUP BY a.id, a.category
)
GROUP BY category
