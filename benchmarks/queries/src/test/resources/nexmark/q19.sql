-- fingerprint: 0 1 2
SELECT auction, price, place
FROM (
  SELECT auction, price, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC) AS place
  FROM bid
)
WHERE place <= 10
