-- fingerprint: 0 2 7
SELECT auction, bidder, price, channel, url, eventTime, extra, place
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC) AS place
  FROM bid
)
WHERE place <= 10
