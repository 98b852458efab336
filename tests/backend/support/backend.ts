import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type Backend, type BackendOptions, startBackend } from '#/backend/start/start-backend'
import { bundledThread } from './bundled-thread'
import { copyPreparedDatabase, preparedTemplate } from './prepared'

/** Creates an empty folder, deleted after the test or, outside of a test, by the caller's cleanup. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vignette-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a data folder with a migrated database without members, because a second start is faster than a first. */
export async function startedFolder(): Promise<string> {
  const folder = await scratchFolder()
  await copyPreparedDatabase(folder)
  return folder
}

/** Log lines of a backend, as `level text`. */
export type LogLines = string[]

type TestOptions = Omit<BackendOptions, 'dataDir' | 'log'>

/** Starts a backend without quotas; the caller stops it. */
export async function startUnmanagedBackend(
  dataDir: string,
  options: TestOptions = {},
  lines: LogLines = [],
): Promise<Backend> {
  return startBackend({
    dataDir,
    templateDir: await preparedTemplate(),
    threadFile: await bundledThread(),
    quotas: [{ kind: 'all', perMinute: null, perDay: null }],
    log: (level, text) => lines.push(`${level} ${text}`),
    ...options,
  })
}

/** Stops a backend without a snapshot, which takes a second, because its folder is not used again. */
export async function discard(backend: Backend): Promise<void> {
  await backend.stop({ takesSnapshot: false })
}

/** Starts a backend and discards it after the test. */
export async function startTestBackend(
  dataDir: string,
  options: TestOptions = {},
  lines: LogLines = [],
): Promise<Backend> {
  const backend = await startUnmanagedBackend(dataDir, options, lines)
  onTestFinished(() => discard(backend))
  return backend
}

export const PASSWORD = 'a good password'

/** A client like the app's, without a stored session. */
export function clientOf(backend: Pick<Backend, 'url' | 'publishableKey'>): SupabaseClient {
  return createClient(backend.url, backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // supabase-js needs a WebSocket even if it is unused, and Node 20 has no WebSocket.
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })
}

/** Signs up a member with a profile and returns the client and the id. */
export async function signUpMember(
  backend: Pick<Backend, 'url' | 'publishableKey'>,
  username: string,
  client = clientOf(backend),
): Promise<{ client: SupabaseClient; id: string; email: string }> {
  const email = `${username}@example.com`
  const { data, error } = await client.auth.signUp({ email, password: PASSWORD })
  if (error !== null || data.user === null) throw new Error(`${username} could not sign up`, { cause: error })
  const { id } = data.user
  const profile = await client.from('profiles').insert({ id, username, full_name: username })
  if (profile.error !== null) throw new Error(profile.error.message)
  return { client, id, email }
}
