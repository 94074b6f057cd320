-- fingerprint: 0 1 2 3 4
SELECT auction, bidder, CAST(0.908 * price AS DECIMAL(23, 3)) AS price, eventTime, extra
FROM bid
