import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Resident memory of a process in megabytes; null if `ps` is not available (Windows). */
export async function residentMegabytes(pid: number): Promise<number | null> {
  if (process.platform === 'win32') return null
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1024
}
