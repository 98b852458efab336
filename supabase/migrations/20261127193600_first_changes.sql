-- The plan is made while the queue is nearly empty: it would read and sort all that waits for a counter instead of the first 10,000.

alter function private.take_changes(uuid[], text[]) set enable_bitmapscan = off;
alter function private.take_changes(uuid[], text[]) set enable_sort = off;
