-- fingerprint: 0 1 2 3 4
SELECT b.auction, b.bidder, b.price, b.eventTime, t.text
FROM (SELECT *, PROCTIME() AS asked FROM bid) AS b
JOIN texts FOR SYSTEM_TIME AS OF b.asked AS t ON MOD(b.auction, 10000) = t.number
