-- A planner that may not read a whole table gives one that it has to read a cost at which it compiles the plan, for half a second.

alter function private.count_on_comments(private.count_change[]) set jit = off;
alter function private.count_on_posts(private.count_change[]) set jit = off;
alter function private.count_on_profiles(private.count_change[]) set jit = off;
alter function private.remove_dependents(regclass, uuid[], integer) set jit = off;
alter function private.send_announcement(uuid, text, text, uuid[]) set jit = off;
alter function private.settle_announcements() set jit = off;
alter function private.settle_counts() set jit = off;
alter function private.waiting_items(uuid) set jit = off;
alter function private.waiting_members(uuid) set jit = off;
alter function private.weigh(regclass, uuid[], integer) set jit = off;
