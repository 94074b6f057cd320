-- fingerprint: 0 1 2 3 4
SELECT b.auction, b.price, b.bidder, b.eventTime, b.extra
FROM bid AS b
JOIN (
  SELECT MAX(price) AS price, window_time AS lastTime
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(eventTime), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end, window_time
) AS highest
ON b.price = highest.price
  AND b.eventTime BETWEEN highest.lastTime - INTERVAL '9.999' SECOND AND highest.lastTime
