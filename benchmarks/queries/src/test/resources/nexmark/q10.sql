-- fingerprint: 0 1 2 3 4 5 6
SELECT
  auction, bidder, price, time, extra,
  strftime('%Y-%m-%d', time / 1000, 'unixepoch'), strftime('%H:%M', time / 1000, 'unixepoch')
FROM bid
