-- fingerprint: 0 1 2 7 12 13
SELECT
  id, itemName, description, initialBid, reserve, eventTime, expires, seller, category, extra,
  auction, bidder, price, bidTime, bidExtra
FROM (
  SELECT
    a.*, b.auction, b.bidder, b.price, b.eventTime AS bidTime, b.extra AS bidExtra,
    ROW_NUMBER() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.eventTime ASC) AS place
  FROM auction AS a
  JOIN bid AS b ON b.auction = a.id
  WHERE b.eventTime BETWEEN a.eventTime AND a.expires
)
WHERE place <= 1
