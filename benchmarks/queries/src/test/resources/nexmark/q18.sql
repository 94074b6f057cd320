-- fingerprint: 0 1 2
SELECT auction, bidder, MAX(time) FROM bid GROUP BY auction, bidder
