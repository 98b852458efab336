import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SupabaseClient } from '@supabase/supabase-js'
import { clientOf, PASSWORD, signUpMember } from './backend'
import { runBackend } from './processes'

const WRITERS = ['ada', 'bea', 'cyd']

/** The result of a round: the number of posts acknowledged before the crash, and the lost ones. */
export interface CrashRound {
  acknowledged: number
  lost: string[]
}

/**
 * Kills a backend with SIGKILL while three members write. After a restart, checks all posts that were acknowledged in this and all
 * earlier rounds.
 */
export async function crashRounds(dataDir: string, rounds: number): Promise<CrashRound[]> {
  const results: CrashRound[] = []
  const kept = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    const acknowledged = await writeUntilKilled(dataDir, round === 0, randomInt(20, 60))
    for (const id of acknowledged) kept.add(id)
    const found = await postsIn(dataDir)
    results.push({ acknowledged: acknowledged.length, lost: [...kept].filter((id) => !found.has(id)) })
  }
  return results
}

async function writeUntilKilled(dataDir: string, isFirst: boolean, killAfter: number): Promise<string[]> {
  const backend = await runBackend(dataDir)
  const acknowledged: string[] = []
  let isKilled = false

  const write = async (client: SupabaseClient, userId: string) => {
    while (!isKilled) {
      const id = randomUUID()
      const { error } = await client.from('posts').insert({ id, user_id: userId, content: `post ${id}` })
      if (error === null) acknowledged.push(id)
      else if (!isKilled) throw new Error(error.message)
    }
  }
  const kill = async () => {
    while (acknowledged.length < killAfter) await pause(1)
    await pause(randomInt(0, 30))
    isKilled = true
    backend.process.child.kill('SIGKILL')
  }

  const members = await Promise.all(
    WRITERS.map((name) => (isFirst ? signUpMember(backend, name) : signIn(backend, name))),
  )
  await Promise.all([...members.map(({ client, id }) => write(client, id)), kill()])
  await backend.process.ended
  return acknowledged
}

async function signIn(backend: { url: string; publishableKey: string }, username: string) {
  const client = clientOf(backend)
  const email = `${username}@example.com`
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (error !== null) throw error
  return { client, id: data.user.id }
}

/** Restarts the backend, reads the ids of all posts through the API and kills it again. */
async function postsIn(dataDir: string): Promise<Set<string>> {
  const backend = await runBackend(dataDir)
  const { client } = await signIn(backend, 'ada')
  const found = new Set<string>()
  for (let last = ''; ; ) {
    const page = client.from('posts').select('id').order('id').limit(1_000)
    const { data, error } = await (last === '' ? page : page.gt('id', last))
    if (error !== null) throw new Error(error.message)
    for (const { id } of data) found.add(id)
    if (data.length < 1_000) break
    last = data.at(-1)?.id
  }
  backend.process.child.kill('SIGKILL')
  await backend.process.ended
  return found
}
