import type { AddressInfo } from 'node:net'
import { serve as listen } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGivenServer } from '#tests/backend/support/given-server'
import { signUp } from '#tests/backend/support/members'
import { type PostgresServer, startPostgres } from '#tests/backend/support/postgres-server'
import { OPEN_GATE, openPostgres, serve, type TestServer } from '#tests/backend/support/server'
import { givenServer } from '#tests/given-server'
import { LIFT_QUOTAS } from '#tests/supabase/schema/support/community'

let postgres: PostgresServer
let behind: TestServer
let url: string
let stopListening: () => void

/** Starts a server on a port with a separate database; the tests find it only through the environment. */
beforeAll(async () => {
  postgres = await startPostgres()
  behind = await serve(await openPostgres({ ...postgres, stop: async () => undefined }), OPEN_GATE)
  const server = listen({ fetch: (request) => behind.fetch(request), hostname: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stopListening = () => server.close()
})
afterAll(async () => {
  stopListening()
  await behind.close()
  await postgres.stop()
})

const environment = () => ({
  VIGNETTE_TEST_URL: url,
  VIGNETTE_TEST_KEY: behind.publishableKey,
  VIGNETTE_TEST_DATABASE_URL: postgres.url,
})

test('signs members up over HTTP, then removes them and restores the quotas', async () => {
  const quotas = () => behind.query('select * from private.quotas order by kind')
  const before = await quotas()
  const server = await openGivenServer(givenServer(environment()))
  if (server === null) throw new Error('No server was opened')
  expect(server.url).toBe(url)
  const { id, client } = await signUp(server, 'ada')
  expect((await client.from('profiles').select('id')).data).toEqual([{ id }])
  expect(await behind.query('select id from auth.users')).toEqual([{ id }])
  await server.exec(`${LIFT_QUOTAS}; create schema remembered_public`)
  await server.close()
  expect(await behind.query('select id from auth.users')).toEqual([])
  expect(await behind.query(`select 1 from pg_namespace where nspname like 'remembered%'`)).toEqual([])
  expect(await quotas()).toEqual(before)
})

test('handles requests in this process if only a database is given', async () => {
  const server = await openGivenServer(givenServer({ VIGNETTE_TEST_DATABASE_URL: postgres.url }))
  if (server === null) throw new Error('No server was opened')
  expect(server.url).not.toBe(url)
  const { id } = await signUp(server, 'ben')
  expect(await behind.query('select id from public.profiles')).toEqual([{ id }])
  await server.close()
})

test('does not change a database that has accounts', async () => {
  const { id } = await signUp(behind, 'cleo')
  await expect(openGivenServer(givenServer(environment()))).rejects.toThrow('The database has 1 accounts')
  expect(await behind.query('select id from auth.users')).toEqual([{ id }])
})

test('throws an error about missing environment variables', async () => {
  expect(await openGivenServer(givenServer({}))).toBeNull()
  const { VIGNETTE_TEST_URL, VIGNETTE_TEST_KEY } = environment()
  expect(() => givenServer({ VIGNETTE_TEST_URL })).toThrow('set both or neither')
  await expect(openGivenServer(givenServer({ VIGNETTE_TEST_URL, VIGNETTE_TEST_KEY }))).rejects.toThrow(
    'set VIGNETTE_TEST_DATABASE_URL too',
  )
})
