-- Who may start to write to a member: docs/decisions/0053-message-requests.md. Replaces allow_message_requests.

alter table public.profiles
  add column new_messages_from text not null default 'everyone'
  constraint profiles_new_messages_from check (new_messages_from in ('everyone', 'followers', 'following', 'nobody'));
comment on column public.profiles.new_messages_from is
  'Who may write to this member outside of accepted conversations: everyone, their followers and the members they follow, only the '
  'members they follow, or nobody. Messages of members they do not follow wait as requests.';
update public.profiles set new_messages_from = 'following' where not allow_message_requests;
grant update (new_messages_from) on table public.profiles to authenticated;

create or replace trigger profiles_touch
  before update of username, full_name, bio, website, avatar_url, is_private, show_activity_status,
    allow_story_replies, new_messages_from, updated_at
  on public.profiles for each row execute function private.touch_profile();

create or replace function private.refuse_unwanted_message() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  wanted constant text := (select p.new_messages_from from public.profiles p where p.id = new.recipient_id);
begin
  if exists (
      select 1 from public.conversation_members m
      where m.member_id = new.recipient_id and m.conversation_id = new.conversation_id and m.accepted
    )
    -- A retry after a lost response: the message exists, and the client expects 23505.
    or exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id)
  then
    return new;
  end if;
  if wanted = 'nobody' then
    raise sqlstate 'PT403' using message = 'This member receives messages only in conversations they already have.';
  end if;
  if exists (
    select 1 from public.follows f where f.follower_id = new.recipient_id and f.following_id = new.sender_id
  ) then
    return new;
  end if;
  if wanted = 'following' then
    raise sqlstate 'PT403' using message = 'This member receives messages only from people they follow.';
  end if;
  if wanted = 'followers' and not exists (
    select 1 from public.follows f where f.follower_id = new.sender_id and f.following_id = new.recipient_id
  ) then
    raise sqlstate 'PT403' using
      message = 'This member receives messages only from their followers and people they follow.';
  end if;
  if exists (
    select 1 from public.messages m
    where m.conversation_id = new.conversation_id and m.sender_id = new.sender_id
    order by m.created_at desc, m.id desc offset 2
  ) then
    raise sqlstate 'PT403' using message = 'You can write more once this member has accepted your first messages.';
  end if;
  return new;
end
$$;
comment on function private.refuse_unwanted_message() is
  'A stranger can write three messages until the recipient accepts; deleting the request does not allow more. Refuses members that '
  'new_messages_from of the recipient leaves out.';

alter table public.profiles drop column allow_message_requests;
