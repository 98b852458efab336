-- Messages that pass on another message: docs/decisions/0022-message-extras.md.

alter table public.messages add column forwarded boolean not null default false;
comment on column public.messages.forwarded is
  'Whether its sender forwarded it; says nothing about the original. Set by the client, and stays when the message is unsent.';
grant insert (forwarded) on table public.messages to authenticated;
