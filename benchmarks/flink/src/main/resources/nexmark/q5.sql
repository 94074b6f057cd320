-- fingerprint: 0 1 2 3
SELECT counts.auction, counts.bids, counts.window_start, counts.window_end
FROM (
  SELECT auction, COUNT(*) AS bids, window_start, window_end
  FROM TABLE(HOP(TABLE bid, DESCRIPTOR(eventTime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
  GROUP BY auction, window_start, window_end
) AS counts
JOIN (
  SELECT MAX(bids) AS most, window_start, window_end
  FROM (
    SELECT COUNT(*) AS bids, window_start, window_end
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(eventTime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY auction, window_start, window_end
  )
  GROUP BY window_start, window_end
) AS hottest
ON counts.window_start = hottest.window_start
  AND counts.window_end = hottest.window_end
  AND counts.bids >= hottest.most
