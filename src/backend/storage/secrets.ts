import { hkdfSync, randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import * as z from 'zod'
import { BackendError } from '#/backend/backend-error'
import { writeDurably } from './durable-file'

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

/** A random text of URL-safe characters, 6 bits each. */
export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** The data folder's keys, made at its first start. A file that cannot be read is an error, never replaced. */
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

/** A key for one purpose, which says nothing about the secret it comes from. */
export function deriveKey({ jwtSecret }: Pick<Secrets, 'jwtSecret'>, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', jwtSecret, '', `vignette ${purpose}`, 32))
}

export async function saveSecrets(path: string, secrets: Secrets): Promise<void> {
  await writeDurably(path, `${JSON.stringify(secrets, null, 2)}\n`)
}
