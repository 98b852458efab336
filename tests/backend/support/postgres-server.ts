import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgres } from '#tests/backend/support/postgres-binaries'

export interface PostgresServer {
  /** The superuser's connection URL, on loopback. */
  url: string
  stop(): Promise<void>
}

interface UserIds {
  uid?: number
  gid?: number
}

/** PostgreSQL does not run as root, so as root it runs as an unprivileged user. */
async function serverUser(): Promise<UserIds> {
  if (process.getuid?.() !== 0) return {}
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const account = ['nobody', 'postgres']
    .map((name) => accounts.find(([login]) => login === name))
    .find(Boolean)
  if (!account)
    throw new Error('PostgreSQL must not run as root, and there is neither a user nobody nor postgres')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No TCP port to be had on loopback')
  return address.port
}

/** Resolves once the server accepts connections; rejects with its output if it exits before. */
function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('ready to accept connections')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)))
  })
}

/** Small memory settings, which are enough for most tests. */
const DEFAULT_SETTINGS = { shared_buffers: '32MB' }

/** Starts an empty PostgreSQL 15 in a temporary folder, on a random loopback port, with a random password. */
export async function startPostgres(
  settings: Record<string, string> = DEFAULT_SETTINGS,
): Promise<PostgresServer> {
  const user = await serverUser()
  const folder = await mkdtemp(join(tmpdir(), 'vignette-postgres-'))
  try {
    const asUser = { ...user, cwd: folder }
    if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
    const { initdb, postgres } = await findPostgres(folder, user.uid !== undefined)
    const data = join(folder, 'data')
    const password = randomBytes(16).toString('hex')
    const passwordFile = join(folder, 'password')
    await writeFile(passwordFile, password)
    if (user.uid !== undefined && user.gid !== undefined) await chown(passwordFile, user.uid, user.gid)
    const init = ['-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync']
    await promisify(execFile)(initdb, ['-D', data, `--pwfile=${passwordFile}`, ...init], asUser)

    const port = await freePort()
    const all = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      'max_connections=20',
      // A lock that is never released fails the waiting statement instead of the test, minutes later.
      'lock_timeout=60s',
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    ]
    const child = spawn(postgres, ['-D', data, '-p', String(port), ...all.flatMap((one) => ['-c', one])], {
      ...asUser,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = once(child, 'exit')
    const kill = () => child.kill('SIGINT')
    process.once('exit', kill)
    await waitUntilReady(child)
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      async stop() {
        process.off('exit', kill)
        kill()
        await exited
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
