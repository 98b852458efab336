import type { Session } from '#/backend/database/queries'

/**
 * Replaces a function that visitors may call by a hostile one: with the argument `hang` it never ends, with `break` it overflows the
 * stack where PostgreSQL does not check. The functions of the migrations cannot do either.
 */
export const HOSTILE_SQL = `
    create or replace function public.username_available(name text) returns boolean
      language plpgsql stable security definer set search_path = '' set max_stack_depth = '60MB'
    as $$
    begin
      if name = 'hang' then
        loop end loop;
      end if;
      if name = 'break' then
        perform pg_catalog.repeat('[', 5000000)::pg_catalog.json;
      end if;
      return true;
    end
    $$;`

/** Runs `HOSTILE_SQL` on a running server. */
export async function makeHostile(pg: Session): Promise<void> {
  await pg.exec(HOSTILE_SQL)
}
