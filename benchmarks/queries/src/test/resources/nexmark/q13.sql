-- fingerprint: 0 1 2 3 4
SELECT auction, bidder, price, time, 'value-' || (auction % 10000) FROM bid
