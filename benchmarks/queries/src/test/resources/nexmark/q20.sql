-- fingerprint: 0 1 2 3 4 5 6 7
SELECT auction, bidder, price, url, bid.time, itemName, description, expires
FROM bid JOIN auction ON id = auction
WHERE category = 10
