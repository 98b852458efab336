-- A member had any number of sessions, which end in one statement, and of sign-ins, all of which each question about new devices reads. After
-- some ten thousand, ending them took longer than a request may, so whoever knew a password could not be signed out, and on the embedded
-- server each try ended the database for everybody. So did the recovery by a former address after twenty thousand new passwords.
-- What a sign-in ends is looked up once: as a part of the deletion, it could be looked up again for each session.

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
    order by greatest(s.created_at, s.refreshed_at at time zone 'utc') desc offset 999 limit 100
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
  'Stores a sign-in, and broadcasts it to the member''s other devices. Ends those of more than a thousand sessions that were not used for longest, and forgets those of more than two thousand ended ones that began first.';

create or replace function private.restore_email(address text, kept_session uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  owner_id constant uuid := private.former_email_owner(address);
  first_change constant bigint := (
    select min(id) from private.account_changes where member_id = owner_id and former_email = address
  );
begin
  update auth.users
    set
      email = address, email_change = null, email_change_token_new = null, email_change_token_current = null,
      -- Somebody else may know it.
      encrypted_password = null
    where id = owner_id;
  update auth.identities set identity_data = identity_data || jsonb_build_object('email', address)
    where user_id = owner_id and provider = 'email';
  -- Otherwise the person who changed the address could recover the account too. New passwords are not limited, and have none.
  update private.account_changes set former_email = null
    where member_id = owner_id and id >= first_change and former_email is not null;
  delete from auth.sessions where user_id = owner_id and id <> kept_session;
end
$$;

create or replace function private.record_account_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.encrypted_password is distinct from old.encrypted_password then
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
