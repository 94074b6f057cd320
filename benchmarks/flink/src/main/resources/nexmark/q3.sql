-- fingerprint: 0 1 2 3
SELECT p.name, p.city, p.state, a.id
FROM auction AS a
JOIN person AS p ON p.id = a.seller
WHERE a.category = 10 AND p.state IN ('OR', 'ID', 'CA')
