-- fingerprint: 0 1 2 4 5 7 8 12
SELECT
  b.auction, b.bidder, b.price, b.channel, b.url, b.eventTime, b.extra,
  a.itemName, a.description, a.initialBid, a.reserve, a.eventTime AS opened, a.expires, a.seller,
  a.category, a.extra AS auctionExtra
FROM bid AS b
JOIN auction AS a ON a.id = b.auction
WHERE a.category = 10
