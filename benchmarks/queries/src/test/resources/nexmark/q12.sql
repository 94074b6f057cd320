-- fingerprint: 0 * 1
SELECT bidder, COUNT(*) FROM bid GROUP BY bidder
