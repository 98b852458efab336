import { OPEN_GATE, openPostgres, serve, type TestServer } from '#tests/backend/support/server'
import { type GivenServer, givenServer } from '#tests/given-server'
import { asQuery } from '#tests/statement'

/**
 * Opens the server from the environment variables; null without them. With a URL, requests go to its GoTrue and PostgREST; with only a
 * database, to @supabase/lite in this process. `close` deletes the rows of the tests.
 * @throws if the database has accounts, because the tests would delete them
 */
export async function openGivenServer(given: GivenServer = givenServer()): Promise<TestServer | null> {
  const { address, databaseUrl } = given
  if (address === null && databaseUrl === null) return null
  if (databaseUrl === null) {
    throw new Error('Tests of rights look past row security: set VIGNETTE_TEST_DATABASE_URL too.')
  }
  const database = await openPostgres({ url: databaseUrl, stop: async () => undefined })
  try {
    const [{ accounts } = {}] = await database.query(
      'select count(*)::integer as accounts from auth.users',
      [],
    )
    if (accounts !== 0) {
      throw new Error(
        `The database has ${accounts} accounts, and these tests delete all accounts: use an empty project.`,
      )
    }
    const quotas = await database.query('select kind, per_minute, per_day from private.quotas', [])
    const server: TestServer =
      address === null
        ? await serve({ ...database, isMigrated: true }, OPEN_GATE)
        : {
            ...address,
            fetch,
            query: asQuery((sql, parameters) => database.query(sql, parameters)),
            exec: (sql) => database.exec(sql),
            close: () => database.close(),
          }
    return {
      ...server,
      close: async () => {
        await database.exec(REMOVE_SQL)
        for (const { kind, per_minute, per_day } of quotas) {
          const restore = 'update private.quotas set per_minute = $2, per_day = $3 where kind = $1'
          await database.query(restore, [kind, per_minute, per_day])
        }
        await server.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Deletes all accounts with their rows and objects, and the table copies of rights/cast.ts. */
const REMOVE_SQL = `
do $$ declare name text; begin
  for name in select nspname from pg_catalog.pg_namespace where nspname like 'remembered\\_%' loop
    execute format('drop schema %I cascade', name);
  end loop;
  if to_regclass('storage.objects') is not null then
    -- A hosted project allows this only to Storage itself, which sets this. The files of these rows do not exist.
    perform set_config('storage.allow_delete_query', 'true', true);
    delete from storage.objects where bucket_id = 'media';
  end if;
end $$;
delete from auth.users;
delete from private.deleted_usernames`
