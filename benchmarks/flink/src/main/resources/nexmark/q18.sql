-- fingerprint: 0 1 5
SELECT auction, bidder, price, channel, url, eventTime, extra
FROM (
  SELECT
    *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY eventTime DESC) AS place
  FROM bid
)
WHERE place <= 1
