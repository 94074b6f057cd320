-- fingerprint: 0 1 2 3 4
SELECT auction, bidder, price * 908, time, extra FROM bid
