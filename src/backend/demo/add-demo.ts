import * as z from 'zod'
import type { BackendLog } from '#/backend/base/log'
import type { ServedDatabase } from '#/backend/database/prepare-database'
import type { OpenArgs } from '#/backend/database/thread-calls'
import { randomSecret, type Secrets, saveSecrets } from '#/backend/storage/secrets'
import { type SeedOptions, seedDemo } from './seed-demo'

const signUpSchema = z.object({ user: z.object({ id: z.string() }) })

/** Seeds a new data folder with the demo community. Returns the secrets with its members' passwords, already saved. */
export async function addDemo(
  { connection, lite }: ServedDatabase,
  {
    folder,
    secrets,
    assetsDir,
    log,
  }: Pick<OpenArgs, 'folder' | 'secrets' | 'assetsDir'> & { log: BackendLog },
): Promise<Secrets> {
  const members: Secrets['demo'] = []
  const createMember: SeedOptions['createMember'] = async (member) => {
    const { username, fullName, email, isOffered } = member
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
    if (isOffered) members.push({ username, fullName, email, password })
    return user.id
  }
  const pg = connection.driver
  await seedDemo({ pg, createMember, assetsDir, objectsFolder: folder.objects, now: new Date() })
  log('info', `Added the demo community, ${members.length} of whose members the sign-in screen offers.`)
  const complete = { ...secrets, demo: members }
  await saveSecrets(folder.secrets, complete)
  return complete
}
