-- fingerprint: 0 1 2 3 4
SELECT auction, bidder, price, channel, id
FROM (
  SELECT
    *,
    CASE lower(channel)
      WHEN 'apple' THEN '0'
      WHEN 'google' THEN '1'
      WHEN 'facebook' THEN '2'
      WHEN 'baidu' THEN '3'
      ELSE CASE WHEN url LIKE '%&channel_id=%' THEN substr(url, instr(url, '&channel_id=') + 12) END
    END AS id
  FROM bid
)
WHERE id IS NOT NULL
