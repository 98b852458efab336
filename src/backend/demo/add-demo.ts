import * as z from 'zod'
import type { BackendLog } from '#/backend/base/log'
import type { ServedDatabase } from '#/backend/database/prepare-database'
import type { DataFolder } from '#/backend/storage/data-folder'
import type { MediaStorage } from '#/backend/storage/media-storage'
import { randomSecret, type Secrets, saveSecrets } from '#/backend/storage/secrets'
import type { DemoContext, DemoDatabase } from './context'
import { seedDemo } from './seed-demo'

type DemoMembers = Secrets['demo']

const signUpSchema = z.object({ user: z.object({ id: z.string() }) })

export interface AddDemoOptions {
  folder: DataFolder
  secrets: Secrets
  /** Folder with the demo's pictures. */
  assetsDir: string
  media: MediaStorage
  log: BackendLog
}

/** Seeds a new data folder with the demo community. Returns the secrets with its members' passwords, already saved. */
export async function addDemo(
  { connection, lite }: ServedDatabase,
  { folder, secrets, assetsDir, media, log }: AddDemoOptions,
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
  await seedDemo({
    pg,
    createMember,
    assetsDir,
    objectsFolder: media === 'storage' ? folder.objects : null,
    now: new Date(),
    log: (message) => log('info', message),
  })
  const complete = { ...secrets, demo: members }
  await saveSecrets(folder.secrets, complete)
  return complete
}

/** Changes the id of a new auth user, to which only lite's own rows refer so far. */
async function changeUserId(pg: DemoDatabase, from: string, to: string): Promise<void> {
  await pg.transaction(async (tx) => {
    await tx.query('delete from auth.sessions where user_id = $1', [from])
    // The foreign keys of auth do not cascade updates: this disables their checks for the transaction.
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
