import { hkdfSync, randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import * as z from 'zod'
import { BackendError } from '#/backend/base/backend-error'
import { writeFileAtomic } from './write-file-atomic'

const demoMemberSchema = z.strictObject({
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  password: z.string(),
})

const secretsSchema = z.strictObject({
  jwtSecret: z.string().min(32),
  publishableKey: z.string().startsWith('sb_publishable_'),
  secretKey: z.string().startsWith('sb_secret_'),
  demo: z.array(demoMemberSchema),
})

export type Secrets = z.infer<typeof secretsSchema>

/** Random bytes as URL-safe text. */
export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** Reads the data folder's keys, or creates them if the file is missing. Throws if the file is invalid. */
export async function loadSecrets(path: string): Promise<Secrets> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) {
    const fresh: Secrets = {
      jwtSecret: randomSecret(48),
      publishableKey: `sb_publishable_${randomSecret(24)}`,
      secretKey: `sb_secret_${randomSecret(24)}`,
      demo: [],
    }
    await saveSecrets(path, fresh)
    return fresh
  }
  await chmod(path, 0o600)
  try {
    return secretsSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new BackendError('failed', `The keys in ${path} cannot be read. Restore this file from a copy.`, {
      cause: error,
    })
  }
}

/** A key for one purpose, derived from the secret without revealing it. */
export function deriveKey({ jwtSecret }: Pick<Secrets, 'jwtSecret'>, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', jwtSecret, '', `vignette ${purpose}`, 32))
}

/** Replaces the file of the keys atomically. */
export async function saveSecrets(path: string, secrets: Secrets): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(secrets, null, 2)}\n`)
}
