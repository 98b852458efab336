-- Reads of topics that cost the same for members who follow thousands, and with hashtags that mostly private accounts use.

create index post_topics_public_idx on public.post_topics (topic, created_at desc, post_id desc)
  where kind = 'hashtag' and audience = 'public';

-- In the order of the index, so that it reads the first rows of a topic and not all.
create or replace function public.count_topic_posts(topic_kind text, topic_name text) returns integer
  language sql stable security invoker set search_path = ''
as $$
  select count(*)::integer
  from (
    select from public.post_topics t
    where t.kind = topic_kind and t.topic = lower(topic_name)
    order by t.created_at desc, t.post_id desc limit 1001
  ) as found
$$;

-- A security definer function, so that the follows of the caller are read once, not for each look-up. PL/pgSQL,
-- because each topic begins a new look-up in the index: the rows of a topic are as many as its posts.
create function private.search_topics(query text)
  returns table (kind text, topic text, label text)
  language plpgsql stable security definer set search_path = '' set jit = off
as $$
#variable_conflict use_column
declare
  most constant integer := 5;
  me constant uuid := (select auth.uid());
  wanted constant text := lower(regexp_replace(ltrim(btrim(query), '#'), '\s+', ' ', 'g'));
  kinds constant text[] := case when btrim(query) like '#%' then '{hashtag}' else '{hashtag,place}' end;
  followed constant uuid[] := array(select private.my_following_ids());
  hidden constant uuid[] := array(select private.my_hidden_ids());
  searched text;
  found_topic record;
  reached text;
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  foreach searched in array kinds loop
    reached := '';
    for _ in 1..most loop
      select t.kind, t.topic, t.label into found_topic
        from public.post_topics t
        where t.kind = searched
          and t.topic >= wanted collate "C"
          and t.topic > reached collate "C"
          and t.topic <= (wanted || U&'\+10FFFF') collate "C"
          and (
            t.user_id = me
            or ((t.audience = 'public' or t.user_id = any (followed)) and t.user_id <> all (hidden))
          )
        order by t.topic, t.created_at desc, t.post_id desc limit 1;
      exit when not found;
      kind := found_topic.kind;
      topic := found_topic.topic;
      label := found_topic.label;
      return next;
      reached := topic;
    end loop;
  end loop;
end
$$;
comment on function private.search_topics(text) is
  'At most five hashtags and five places that begin with the query and have posts that the caller may see, which it checks '
  'as the policy of post_topics does; only hashtags if the query begins with #.';
revoke execute on function private.search_topics(text) from public, anon, authenticated;
grant execute on function private.search_topics(text) to authenticated, service_role;

create or replace function public.search_topics(query text)
  returns table (kind text, topic text, label text)
  language sql stable security invoker set search_path = ''
as $$
  select kind, topic, label from private.search_topics(query)
$$;
