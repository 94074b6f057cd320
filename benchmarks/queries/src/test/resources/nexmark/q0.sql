-- fingerprint: 0 1 2 3 4
SELECT auction, bidder, price, time, extra FROM bid
