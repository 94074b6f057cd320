-- fingerprint: 0 1 2
SELECT DISTINCT person.id, name, person.time / 10000 * 10000
FROM person JOIN auction ON seller = person.id AND auction.time / 10000 = person.time / 10000
