-- Bounds that were missing: docs/bounds.md.

-- A search for members whose letters no trigram has (one or two letters, punctuation) read all profiles and computed the key of each name,
-- so with some thousand accounts each took seconds. Now it reads the keys in the index. A condition that the other index does not
-- know, and the columns that the search needs.
drop index public.profiles_search_prefix_idx;
create index profiles_search_prefix_idx on public.profiles (private.search_key(full_name) collate "C") include (full_name, username, id);

create or replace function private.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text)
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off set jit = off
as $$
declare
  most constant integer := 10;
  left_out constant uuid[] := array(select private.my_hidden_ids()) || (select auth.uid());
  key constant text := private.search_key(btrim(query));
  wanted constant text := regexp_replace(key, '([\\%_])', '\\\1', 'g');
  found_ids uuid[];
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  found_ids := array(
    select p.id
    from (
      select f.following_id as member_id from public.follows f
      where f.follower_id = (select auth.uid()) order by f.created_at desc, f.following_id desc limit 1000
    ) as followed
    join public.profiles p on p.id = followed.member_id
    where (p.username like wanted || '%' or private.search_key(p.full_name) like wanted || '%')
      and p.id <> all (left_out)
    order by p.username collate "C" limit most
  );
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where p.username collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by p.username collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where private.search_key(p.full_name) collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by private.search_key(p.full_name) collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most and key ~ '[a-z0-9]{3}' then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (p.username like '%' || wanted || '%' or private.search_key(p.full_name) like '%' || wanted || '%')
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  elsif cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (strpos(p.username, key) > 0 or strpos(private.search_key(p.full_name), key) > 0)
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  end if;
  return query
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path
    from unnest(found_ids) with ordinality as hits (id, place)
    join public.profiles p on p.id = hits.id
    order by hits.place;
end
$$;

-- Unread notifications stayed for ever, and what marks or hides them reads all of a member's. Of more than 5,000 the oldest go.
create or replace function private.delete_read_notifications(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  walk private.cleanups;
  member uuid;
  wanted bigint;
  too_old timestamptz;
  step integer;
  removed integer := 0;
  has_more boolean := true;
begin
  select * into walk from private.cleanups;
  if walk.reached_id is null and walk.walked_at > now() - interval '1 day' then
    return 0;
  end if;
  perform set_config('vignette.is_cleaning', 'on', true);
  for visited in 1..max_rows loop
    select n.user_id into member from public.notifications n
      where n.user_id > coalesce(walk.reached_id, '00000000-0000-0000-0000-000000000000') order by n.user_id limit 1;
    has_more := found;
    exit when not has_more;
    -- Both remove the oldest ones first.
    wanted := greatest(
      (select count(*) - 2000 from public.notifications n where n.user_id = member),
      (
        select count(*) from public.notifications n
        where n.user_id = member and n.read and (n.type <> 'other' or n.about = 'follow_accepted')
          and n.created_at < now() - interval '90 days'
      )
    );
    if wanted > 0 then
      too_old := (
        select n.created_at from public.notifications n where n.user_id = member
        order by n.created_at desc, n.id desc offset 5000 limit 1
      );
      with oldest as materialized (
        select n.id from public.notifications n
          where n.user_id = member and (n.read or n.created_at <= too_old) and (n.type <> 'other' or n.about = 'follow_accepted')
          order by n.created_at, n.id limit least(wanted, max_rows - removed)
      )
      -- A member who holds some keeps them until the next day.
      delete from public.notifications where id = any (array(
        select n.id from public.notifications n where n.id in (select o.id from oldest o) for update skip locked
      ));
      get diagnostics step = row_count;
      removed := removed + step;
      -- The rest of this member's in the next batch.
      exit when removed >= max_rows;
    end if;
    walk.reached_id := member;
  end loop;
  perform set_config('vignette.is_cleaning', '', true);
  update private.cleanups
    set reached_id = case when has_more then walk.reached_id end,
      walked_at = case when has_more then walk.walked_at else now() end;
  return case when has_more then greatest(1, removed) else removed end;
end
$$;
comment on function private.delete_read_notifications(integer) is
  'Once a day: deletes a batch of read notifications that are older than 90 days, of members with more than 2,000 the oldest read ones, and beyond 5,000 the oldest, read or not; open requests and notices of moderators stay. Looks at as many members. Not broadcast. Returns how many it deleted, and 1 if it only has not looked at everybody yet.';

-- Three hundred sessions of a hundred refresh tokens end in a third of the time that a request has.
create or replace function private.record_sign_in() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  surplus uuid[];
begin
  insert into private.sign_ins (session_id, member_id) values (new.id, new.user_id);
  if exists (select from auth.sessions s where s.user_id = new.user_id and s.id <> new.id) then
    perform private.broadcast_change('sign_ins', 'INSERT', new.user_id, array[new.id]);
  end if;
  -- A hundred at once: earlier versions kept more. Two sign-ins at once end different ones.
  surplus := array(
    select s.id from auth.sessions s where s.user_id = new.user_id and s.id <> new.id
    order by greatest(s.created_at, s.refreshed_at at time zone 'utc') desc offset 299 limit 100
  );
  if cardinality(surplus) > 0 then
    surplus := array(select s.id from auth.sessions s where s.id = any (surplus) for update skip locked);
    delete from auth.sessions where id = any (surplus);
  end if;
  surplus := array(
    select s.session_id from private.sign_ins s where s.member_id = new.user_id and s.ended_at is not null
    order by s.created_at desc offset 2000 limit 100
  );
  if cardinality(surplus) > 0 then
    surplus := array(select s.session_id from private.sign_ins s where s.session_id = any (surplus) for update skip locked);
    delete from private.sign_ins where session_id = any (surplus);
  end if;
  return null;
end
$$;
comment on function private.record_sign_in() is
  'Stores a sign-in, and broadcasts it to the member''s other devices. Ends those of more than three hundred sessions that were not used for longest, and forgets those of more than two thousand ended ones that began first.';

-- New passwords are not limited, and were kept for 30 days: hundreds of thousands of rows of an account, with which it could not be deleted any more.
create or replace function private.record_account_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    -- Only the latest says why sessions end. There may be very many from before this.
    delete from private.account_changes where id = any (array(
      select c.id from private.account_changes c where c.member_id = new.id and c.kind = 'password' limit 100
    ));
    insert into private.account_changes (member_id, kind) values (new.id, 'password');
  end if;
  if new.email is distinct from old.email then
    insert into private.account_changes (member_id, kind, former_email) values (new.id, 'email', old.email);
    -- Only an address that may still recover the account.
    update private.account_changes set former_email = null
      where member_id = new.id and former_email is not null and id >= (
        select min(c.id) from private.account_changes c
        where c.member_id = new.id and c.former_email = new.email and c.changed_at > now() - interval '7 days'
      );
    -- A link in a mail has confirmed the address. Which session asked for it is not known.
    if old.email_change = new.email then
      delete from auth.sessions where user_id = new.id;
    end if;
  end if;
  return null;
end
$$;
