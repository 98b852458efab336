-- Somebody who takes over an account can change its e-mail to their own address, back to the member's, and away again. Both are former
-- addresses then. A recovery by the one that the account had first ends the rights of all later ones.

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
  -- Otherwise the person who changed the address could recover the account too.
  update private.account_changes set former_email = null where member_id = owner_id and id >= first_change;
  delete from auth.sessions where user_id = owner_id and id <> kept_session;
end
$$;
comment on function private.restore_email(text, uuid) is
  'Gives an account its former e-mail back after a recovery with it: the password and the other sessions end, and no address that the '
  'account had after the first change of this one can recover it.';
