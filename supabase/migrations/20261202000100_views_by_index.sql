-- The history of a project may have been repaired without the last migrations of 0.1 (docs/upgrading.md): nothing is built upon that.
do $$
begin
  if to_regclass('public.post_media') is null or to_regclass('public.conversation_views') is null then
    raise exception 'The last migrations of 0.1 are missing: see docs/upgrading.md, ''The way back''.';
  end if;
end
$$;

-- A search asks for the groups of one member: the whole table of views is never the way, though the planner takes it while the table is small.
alter function private.received_in_groups(timestamptz, uuid) set enable_seqscan = off;
