import * as z from 'zod'
import type { ServedDatabase } from './database/prepare-database'
import type { Session } from './database/queries'
import { refreshDemoStories, seedDemo } from './demo'
import type { DemoContext, DemoDatabase } from './demo-context'
import { type BackendLog, describeError } from './log'
import type { Exclusive } from './mutex'
import type { DataFolder } from './storage/data-folder'
import { randomSecret, type Secrets, saveSecrets } from './storage/secrets'

type DemoMembers = Secrets['demo']

const signUpSchema = z.object({ user: z.object({ id: z.string() }) })

export interface AddDemoOptions {
  folder: DataFolder
  secrets: Secrets
  /** Folder of the demo's pictures. */
  assetsDir: string
  log: BackendLog
}

/** Seeds a new folder with the demo community; gives the secrets with its members' passwords, already saved. */
export async function addDemo(
  { connection, lite }: ServedDatabase,
  { folder, secrets, assetsDir, log }: AddDemoOptions,
): Promise<Secrets> {
  const members: DemoMembers = []
  const pg = connection.driver
  const createMember: DemoContext['createMember'] = async (member) => {
    const { id, username, fullName, email, isOffered = true } = member
    const password = randomSecret(18)
    const response = await lite.fetch(
      new Request('http://127.0.0.1/auth/v1/signup', {
        method: 'POST',
        headers: { apikey: secrets.publishableKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email, password, data: { username, full_name: fullName } }),
      }),
    )
    if (!response.ok) throw new Error(`The demo member ${username} was refused: ${await response.text()}`)
    const { user } = signUpSchema.parse(await response.json())
    if (id !== undefined) await changeUserId(pg, user.id, id)
    if (isOffered) members.push({ username, fullName, email, password })
    return id ?? user.id
  }
  await seedDemo({ pg, createMember, assetsDir, now: new Date(), log: (message) => log('info', message) })
  const complete = { ...secrets, demo: members }
  await saveSecrets(folder.secrets, complete)
  return complete
}

const FRESHEN_EVERY_MS = 60 * 60_000

/**
 * Keeps the demo community's stories from expiring, now and every hour. A failure is logged: whatever a member did to
 * the demo's rows, the server goes on. Gives what stops it.
 */
export async function keepDemoFresh(pg: Session, exclusive: Exclusive, log: BackendLog): Promise<() => void> {
  const freshen = () =>
    exclusive(() => refreshDemoStories({ pg, now: new Date() })).catch((error) => {
      log('warn', `The demo's stories could not be made fresh: ${describeError(error)}`)
    })
  await freshen()
  const timer = setInterval(freshen, FRESHEN_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Gives a fresh auth user another id; nothing but lite's own rows can refer to it yet. */
async function changeUserId(pg: DemoDatabase, from: string, to: string): Promise<void> {
  await pg.transaction(async (tx) => {
    await tx.query('delete from auth.sessions where user_id = $1', [from])
    // Foreign keys of auth do not cascade updates; this holds their checks until the rows agree again.
    await tx.exec('set local session_replication_role = replica')
    await tx.query('update auth.users set id = $2 where id = $1', [from, to])
    await tx.query(
      `update auth.identities set user_id = $2, provider_id = $2::uuid::text,
         identity_data = jsonb_set(identity_data, '{sub}', to_jsonb($2::uuid::text))
       where user_id = $1`,
      [from, to],
    )
  })
}
