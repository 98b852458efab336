/**
 * Runs private.visible_objects() with the rights of a member in one call. A transaction that changes the role takes four, and each use
 * of a signed link needs it. The plan is cached: planning takes longer than running it.
 */
export const VISIBLE_KEYS_SQL = `
-- Replacing it would validate it as the role that may not execute it.
drop function if exists storage.visible_keys(uuid, uuid, text[]);
create function storage.visible_keys(member uuid, session uuid, keys text[]) returns setof text
  language plpgsql rows 10 set search_path = '' set role = 'authenticated' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  perform set_config('request.jwt.claim.sub', member::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claims', jsonb_build_object(
      'role', 'authenticated', 'sub', member, 'session_id', session
    )::text, true);
  return query select private.visible_objects(keys);
end
$$;
revoke execute on function storage.visible_keys(uuid, uuid, text[]) from public, anon, authenticated;
`
