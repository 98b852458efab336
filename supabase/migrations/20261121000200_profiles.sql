-- Members. The client inserts the row after sign-up; everything else hangs on it.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text not null unique,
  full_name text not null default '',
  bio text not null default '',
  website text,
  avatar_url text,
  is_private boolean not null default false,
  show_activity_status boolean not null default true,
  allow_story_replies boolean not null default true,
  post_count integer not null default 0 check (post_count >= 0),
  follower_count integer not null default 0 check (follower_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Lower case only, so that equal names are equal strings and one index serves look-up and uniqueness.
  constraint profiles_username_format check (username ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'),
  constraint profiles_full_name_length check (char_length(full_name) <= 80),
  constraint profiles_bio_length check (char_length(bio) <= 500),
  constraint profiles_website_length check (char_length(website) <= 200),
  constraint profiles_website_format check (website ~* '^https?://\S+$'),
  constraint profiles_avatar_length check (char_length(avatar_url) <= 16000),
  constraint profiles_avatar_format check (left(avatar_url, 23) ~ '^data:image/(webp|jpeg|png);base64,')
);
comment on table public.profiles is 'Members. A row is as old as the member''s first sign-in; the counts are kept by triggers.';

alter table public.profiles enable row level security;
revoke all on table public.profiles from public, anon, authenticated;
grant select on table public.profiles to authenticated;
grant insert (id, username, full_name) on table public.profiles to authenticated;
grant update (
  username, full_name, bio, website, avatar_url, is_private, show_activity_status, allow_story_replies, updated_at
) on table public.profiles to authenticated;
grant all on table public.profiles to service_role;

create function private.is_member() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (select 1 from public.profiles where id = (select auth.uid()))
$$;
comment on function private.is_member() is
  'Whether the caller still has an account. An access token outlives its account by up to an hour; policies ask this '
  'once per statement, as (select private.is_member()), so that such a token reads nothing.';
revoke execute on function private.is_member() from public, anon, authenticated;
grant execute on function private.is_member() to authenticated, service_role;

-- One's own row comes first: at INSERT … RETURNING, is_member() does not see it yet.
create policy profiles_select on public.profiles for select to authenticated
  using (id = (select auth.uid()) or (select private.is_member()));
create policy profiles_insert on public.profiles for insert to authenticated
  with check (id = (select auth.uid()));
create policy profiles_update on public.profiles for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));

create function private.touch_profile() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.touch_profile() is 'Sets updated_at, whatever time the client sent; counting does not touch it.';
revoke execute on function private.touch_profile() from public, anon, authenticated;

create trigger profiles_touch
  before update of username, full_name, bio, website, avatar_url, is_private, show_activity_status,
    allow_story_replies, updated_at
  on public.profiles for each row execute function private.touch_profile();
create trigger profiles_take_turns_privacy before update of is_private on public.profiles
  for each statement execute function private.take_turns('exclusive');
create trigger profiles_take_turns_removal before delete on public.profiles
  for each statement execute function private.take_turns('exclusive');

create function private.username_available(name text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select lower(name) ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'
    and not exists (select 1 from public.profiles where username = lower(name))
$$;
comment on function private.username_available(text) is 'Whether a username is well formed and nobody has it.';
revoke execute on function private.username_available(text) from public, anon, authenticated;
grant execute on function private.username_available(text) to anon, authenticated, service_role;

create function public.username_available(name text) returns boolean
  language sql stable security invoker set search_path = ''
as $$
  select private.username_available(name)
$$;
comment on function public.username_available(text) is
  'Whether a username is well formed and free. The one thing that signed-out visitors may ask.';
revoke execute on function public.username_available(text) from public, anon, authenticated;
grant execute on function public.username_available(text) to anon, authenticated, service_role;
