-- An address of the account that it takes back ends the right of those in between to recover it. Somebody who changed the e-mail to their own
-- address and back within minutes could recover the account a week later, also after a new password, when the member's address no longer could.

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
      where member_id = new.id and id >= (
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
comment on function private.record_account_change() is
  'Stores a new password or e-mail. A former e-mail that comes back ends the right of those since to recover the account. An address that was confirmed by mail ends all sessions of the account.';
