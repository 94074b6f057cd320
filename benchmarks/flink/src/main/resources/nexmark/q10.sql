-- fingerprint: 0 1 2 3 4 5 6
SELECT
  auction, bidder, price, eventTime, extra,
  DATE_FORMAT(eventTime, 'yyyy-MM-dd') AS dt, DATE_FORMAT(eventTime, 'HH:mm') AS hm
FROM bid
