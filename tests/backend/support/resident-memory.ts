import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Resident memory of a process in megabytes; null if `ps` is not available (Windows). */
export async function residentMegabytes(pid: number): Promise<number | null> {
  if (process.platform === 'win32') return null
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1024
}

const SAMPLE_MS = 500

/** Watches the memory of a process. The returned function stops that and resolves with the maximum, like residentMegabytes. */
export function watchPeakMemory(pid: number): () => Promise<number | null> {
  let peak: number | null = null
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      const memory = await residentMegabytes(pid)
      if (memory !== null) peak = Math.max(peak ?? 0, memory)
      await pause(SAMPLE_MS)
    }
  })()
  return async () => {
    isStopped = true
    await watching
    return peak
  }
}
