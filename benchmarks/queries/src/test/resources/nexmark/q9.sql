-- fingerprint: 0 1 2 3 4 5
SELECT id, itemName, description, seller, price, bidTime
FROM (
  SELECT
    auction.*, price, bid.time AS bidTime,
    ROW_NUMBER() OVER (PARTITION BY id ORDER BY price DESC, bid.time) AS place
  FROM auction JOIN bid ON auction = id AND bid.time BETWEEN auction.time AND expires
)
WHERE place = 1
