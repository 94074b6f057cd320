-- fingerprint: 0 1 2 3 4 5 6
WITH
  hosts AS (
    SELECT auction, bidder, price, channel, substr(url, instr(substr(url, 9), '/') + 9) AS path
    FROM bid
  ),
  ones AS (
    SELECT
      *, substr(path, 1, instr(path, '/') - 1) AS one, substr(path, instr(path, '/') + 1) AS more
    FROM hosts
  ),
  twos AS (
    SELECT
      *, substr(more, 1, instr(more, '/') - 1) AS two, substr(more, instr(more, '/') + 1) AS most
    FROM ones
  )
SELECT auction, bidder, price, channel, one, two, substr(most, 1, instr(most, '/') - 1) FROM twos
