-- fingerprint: 0 1 2 3 4
SELECT auction, price, bidder, time, extra
FROM (SELECT *, MAX(price) OVER (PARTITION BY time / 10000) AS highest FROM bid)
WHERE price = highest
