-- Policies of comment_likes, and the private channels post:<id>, in which the database broadcasts new and deleted comments.

create function private.broadcast_comments() returns trigger
  language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  end if;
  perform realtime.send(
    jsonb_build_object('table', 'comments', 'type', tg_op, 'ids', told.ids, 'threads', told.threads),
    'change', 'post:' || told.post_id, true
  )
  from (
    select
      c.post_id,
      -- Embedded servers broadcast at most 8,000 bytes at once.
      (array_agg(c.id order by c.created_at, c.id))[1:80] as ids,
      (array_agg(distinct c.parent_id) filter (where c.parent_id is not null))[1:80] as threads
    from changed c
    -- Not for posts that are deleted with their comments.
    join public.posts p on p.id = c.post_id
    group by c.post_id
    limit 100
  ) as told;
  return null;
exception when others then
  -- The client sees the change when it refetches; a comment that fails would be lost.
  raise warning 'A change of comments was not broadcast: %', sqlerrm;
  return null;
end
$$;
comment on function private.broadcast_comments() is
  'Broadcasts the ids of new and deleted comments, and of the threads that they belong to, in the private channel of their post. '
  'Never fails: a comment does not depend on Realtime.';
revoke execute on function private.broadcast_comments() from public, anon, authenticated;
create trigger comments_broadcast after insert on public.comments
  referencing new table as changed for each statement execute function private.broadcast_comments();
create trigger comments_broadcast_delete after delete on public.comments
  referencing old table as changed for each statement execute function private.broadcast_comments();

create policy comment_likes_session on public.comment_likes as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
-- Members see and can delete their own likes even when they no longer see the comment.
create policy comment_likes_select on public.comment_likes for select to authenticated
  using (
    user_id = (select auth.uid())
    or (
      user_id not in (select private.my_hidden_ids())
      and exists (select 1 from public.comments c where c.id = comment_id offset 0)
    )
  );
create policy comment_likes_insert on public.comment_likes for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select 1 from public.comments c where c.id = comment_id)
  );
create policy comment_likes_delete on public.comment_likes for delete to authenticated
  using (user_id = (select auth.uid()));

create or replace function private.create_channel_policies() returns void
  language plpgsql set search_path = ''
as $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    raise warning 'Realtime is not set up: realtime.messages is missing'
      using hint = 'Once it is there, run: select private.create_channel_policies();';
    return;
  end if;
  drop policy if exists conversation_channels_receive on realtime.messages;
  create policy conversation_channels_receive on realtime.messages for select to authenticated
    using (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) in (select private.my_conversation_topics())
    );
  drop policy if exists conversation_channels_send on realtime.messages;
  create policy conversation_channels_send on realtime.messages for insert to authenticated
    with check (
      (select realtime.topic()) in (select private.my_conversation_topics())
      and (
        extension = 'broadcast'
        or (
          extension = 'presence'
          and exists (
            select 1 from public.profiles p where p.id = (select auth.uid()) and p.show_activity_status
          )
        )
      )
    );
  drop policy if exists member_channel_receive on realtime.messages;
  create policy member_channel_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select realtime.topic()) = 'member:' || (select auth.uid())
      and (select private.has_session())
    );
  -- Row security of posts decides who may read it.
  drop policy if exists post_channels_receive on realtime.messages;
  create policy post_channels_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and exists (
        select 1 from public.posts p
        where p.id = case
          when (select realtime.topic()) ~ '^post:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
            then substr((select realtime.topic()), 6)::uuid
        end
      )
    );
end
$$;

select private.create_channel_policies();

create or replace function private.setup_status() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  version text;
begin
  select max(m.version) into version from supabase_migrations.schema_migrations m;
  return json_build_object(
    'version', version,
    'changes', to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null,
    'channels', (
      select count(*) = 4 from pg_catalog.pg_policies
      where schemaname = 'realtime' and tablename = 'messages' and policyname in (
        'conversation_channels_receive', 'conversation_channels_send', 'member_channel_receive', 'post_channels_receive'
      )
    )
  );
end
$$;
