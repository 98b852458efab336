import type { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'
import type { ServedDatabase } from './database/prepare-database'
import type { DemoContext } from './demo-context'
import type { BackendLog } from './log'
import { demoAssetsFolder } from './paths'
import type { DataFolder } from './storage/data-folder'
import { randomSecret, type Secrets, saveSecrets } from './storage/secrets'

const seedDemo = async (_c: DemoContext) => {}
const refreshDemoStories = async (_c: DemoContext) => {}

type DemoMembers = Secrets['demo']

const signUpSchema = z.object({ user: z.object({ id: z.string() }) })

/** Seeds a new folder with the demo community; gives the secrets with its members' passwords, already saved. */
export async function addDemo(
  served: ServedDatabase,
  folder: DataFolder,
  secrets: Secrets,
  log: BackendLog,
): Promise<Secrets> {
  const members: DemoMembers = []
  await seedDemo(demoContext(served, secrets, members, log))
  const complete = { ...secrets, demo: members }
  await saveSecrets(folder.secrets, complete)
  return complete
}

/** Makes the demo community's stories fresh again: they expire after a day. */
export async function freshenDemo(served: ServedDatabase, secrets: Secrets, log: BackendLog): Promise<void> {
  await refreshDemoStories(demoContext(served, secrets, [], log))
}

function demoContext(
  { connection, lite }: ServedDatabase,
  secrets: Secrets,
  members: DemoMembers,
  log: BackendLog,
): DemoContext {
  const pg = connection.driver
  return {
    pg,
    createMember: async ({ id, username, fullName, email, isOffered = true }) => {
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
    },
    assetsDir: demoAssetsFolder(),
    now: new Date(),
    log: (message) => log('info', message),
  }
}

/** Gives a fresh auth user another id; nothing but lite's own rows can refer to it yet. */
async function changeUserId(pg: PGlite, from: string, to: string): Promise<void> {
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
